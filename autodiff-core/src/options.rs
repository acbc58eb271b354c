//! The options of convolution and pooling. Inside a differentiable function they are written out as literals or
//! are constants, so that the compiler knows the size of the result:
//!
//! ```text
//! x.conv2d(w, Conv2d { padding: [1, 1], ..Default::default() })
//! x.max_pool2d([2, 2], Window2d { stride: [2, 2], ..Default::default() })
//! ```
//!
//! The defaults: a stride and a dilation of 1, no padding, one group.

macro_rules! options {
    ($(
        $(#[$doc:meta])*
        $name:ident { $($(#[$field_doc:meta])* $field:ident: $ty:ty = $default:expr),+ $(,)? }
    )+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $ty),+
        }

        impl Default for $name {
            fn default() -> $name {
                $name { $($field: $default),+ }
            }
        }
    )+};
}

options! {
    /// How a convolution moves over `[batch, channels, length]`.
    Conv1d {
        /// How far the window moves.
        stride: usize = 1,
        /// Zeros on each side.
        padding: usize = 0,
        /// The distance of the window's elements.
        dilation: usize = 1,
        /// Into how many groups the channels are divided.
        groups: usize = 1,
    }
    /// How a convolution moves over `[batch, channels, height, width]`.
    Conv2d {
        /// How far the window moves.
        stride: [usize; 2] = [1, 1],
        /// Zeros on each side.
        padding: [usize; 2] = [0, 0],
        /// The distance of the window's elements.
        dilation: [usize; 2] = [1, 1],
        /// Into how many groups the channels are divided.
        groups: usize = 1,
    }
    /// How a convolution moves over `[batch, channels, depth, height, width]`.
    Conv3d {
        /// How far the window moves.
        stride: [usize; 3] = [1, 1, 1],
        /// Zeros on each side.
        padding: [usize; 3] = [0, 0, 0],
        /// The distance of the window's elements.
        dilation: [usize; 3] = [1, 1, 1],
        /// Into how many groups the channels are divided.
        groups: usize = 1,
    }
    /// The options of the convolution that a transposed one, over `[batch, channels, length]`, turns around.
    ConvTranspose1d {
        /// How far the window moves.
        stride: usize = 1,
        /// What is cut off on each side.
        padding: usize = 0,
        /// What the result has in addition at its end.
        output_padding: usize = 0,
        /// The distance of the window's elements.
        dilation: usize = 1,
        /// Into how many groups the channels are divided.
        groups: usize = 1,
    }
    /// The options of the convolution that a transposed one, over `[batch, channels, height, width]`, turns around.
    ConvTranspose2d {
        /// How far the window moves.
        stride: [usize; 2] = [1, 1],
        /// What is cut off on each side.
        padding: [usize; 2] = [0, 0],
        /// What the result has in addition at its ends.
        output_padding: [usize; 2] = [0, 0],
        /// The distance of the window's elements.
        dilation: [usize; 2] = [1, 1],
        /// Into how many groups the channels are divided.
        groups: usize = 1,
    }
    /// How a window moves over `[batch, channels, length]`.
    Window1d {
        /// How far the window moves.
        stride: usize = 1,
        /// What is added on each side: −∞ for a maximum, zeros otherwise.
        padding: usize = 0,
        /// The distance of the window's elements.
        dilation: usize = 1,
    }
    /// How a window moves over `[batch, channels, height, width]`.
    Window2d {
        /// How far the window moves.
        stride: [usize; 2] = [1, 1],
        /// What is added on each side: −∞ for a maximum, zeros otherwise.
        padding: [usize; 2] = [0, 0],
        /// The distance of the window's elements.
        dilation: [usize; 2] = [1, 1],
    }
}
