//! Curves as pictures.

use plotters::prelude::*;
use std::error::Error;
use std::path::Path;

/// The loss over the epochs, on a logarithmic axis.
pub fn loss(loss: &[f32], file: &Path) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::new(file, (720, 440)).into_drawing_area();
    area.fill(&WHITE)?;
    let range = loss.iter().fold(f32::MAX..f32::MIN, |r, y| r.start.min(*y)..r.end.max(*y));
    let mut chart = ChartBuilder::on(&area)
        .caption("Training loss", ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(40)
        .y_label_area_size(64)
        .build_cartesian_2d(1..loss.len().max(2), (range.start / 1.5..range.end * 1.5).log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .y_labels(4)
        .x_desc("epoch")
        .y_desc("mean cross entropy")
        .y_label_formatter(&|y| format!("{y}"))
        .draw()?;
    let points = loss.iter().enumerate().map(|(epoch, loss)| (epoch + 1, *loss));
    chart.draw_series(LineSeries::new(points, BLUE.stroke_width(2)))?;
    area.present()?;
    Ok(())
}
