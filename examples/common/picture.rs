//! Curves and points of a plane as a picture.

#![allow(dead_code, reason = "each example uses a part of it")]

use plotters::prelude::*;
use std::error::Error;
use std::f64::consts::TAU;
use std::fs;
use std::path::PathBuf;

enum Form {
    Line,
    Dots,
}

/// A picture in the making. What has no name is not in the legend.
pub struct Picture {
    title: &'static str,
    axes: [&'static str; 2],
    is_map: bool,
    parts: Vec<(&'static str, RGBColor, Form, Vec<(f64, f64)>)>,
}

impl Picture {
    /// Values over time or the like.
    pub fn graph(title: &'static str, axes: [&'static str; 2]) -> Self {
        Picture { title, axes, is_map: false, parts: Vec::new() }
    }

    /// A part of a plane: both axes have the same scale.
    pub fn map(title: &'static str, axes: [&'static str; 2]) -> Self {
        Picture { is_map: true, ..Picture::graph(title, axes) }
    }

    pub fn line(&mut self, name: &'static str, color: RGBColor, points: impl IntoIterator<Item = [f64; 2]>) {
        self.parts.push((name, color, Form::Line, points.into_iter().map(<(f64, f64)>::from).collect()));
    }

    pub fn dots(&mut self, name: &'static str, color: RGBColor, points: impl IntoIterator<Item = [f64; 2]>) {
        self.parts.push((name, color, Form::Dots, points.into_iter().map(<(f64, f64)>::from).collect()));
    }

    /// An ellipse with the given half axes.
    pub fn ellipse(&mut self, name: &'static str, color: RGBColor, center: [f64; 2], half_axes: [[f64; 2]; 2]) {
        let [[a, b], [c, d]] = half_axes;
        let points = (0..=48).map(|k| {
            let (sin, cos) = (f64::from(k) * TAU / 48.0).sin_cos();
            [center[0] + a * cos + c * sin, center[1] + b * cos + d * sin]
        });
        self.line(name, color, points);
    }

    /// Writes the picture to `target/pictures`, as SVG.
    pub fn save(&self, name: &str) -> Result<(), Box<dyn Error>> {
        let folder = PathBuf::from("target/pictures");
        fs::create_dir_all(&folder)?;
        let file = folder.join(format!("{name}.svg"));
        self.draw(&file)?;
        println!("The picture is {}.", file.display());
        Ok(())
    }

    fn draw(&self, file: &PathBuf) -> Result<(), Box<dyn Error>> {
        let size = (760, 520);
        let area = SVGBackend::new(file, size).into_drawing_area();
        area.fill(&WHITE)?;
        let all = || self.parts.iter().flat_map(|(.., points)| points);
        let mut ranges = [all().map(|p| p.0).collect::<Vec<_>>(), all().map(|p| p.1).collect()].map(|values| {
            let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(*x), b.max(*x)));
            let margin = 0.05 * (high - low).max(1e-9);
            [low - margin, high + margin]
        });
        if self.is_map {
            // What the axes and the margins leave of the area.
            let room = [f64::from(size.0) - 88.0, f64::from(size.1) - 100.0];
            let scale = (0..2).map(|k| (ranges[k][1] - ranges[k][0]) / room[k]).fold(0.0, f64::max);
            for (range, room) in ranges.iter_mut().zip(room) {
                let middle = (range[0] + range[1]) / 2.0;
                *range = [middle - scale * room / 2.0, middle + scale * room / 2.0];
            }
        }
        let mut chart = ChartBuilder::on(&area)
            .caption(self.title, ("sans-serif", 20))
            .margin(16)
            .x_label_area_size(40)
            .y_label_area_size(56)
            .build_cartesian_2d(ranges[0][0]..ranges[0][1], ranges[1][0]..ranges[1][1])?;
        let [x, y] = self.axes;
        chart.configure_mesh().light_line_style(WHITE).x_desc(x).y_desc(y).draw()?;
        for (name, color, form, points) in &self.parts {
            let color = *color;
            let points = points.iter().copied();
            let series = match form {
                Form::Line => chart.draw_series(LineSeries::new(points, color.stroke_width(2)))?,
                Form::Dots => chart.draw_series(points.map(|point| Circle::new(point, 3, color.filled())))?,
            };
            if !name.is_empty() {
                series.label(*name).legend(move |(x, y)| Rectangle::new([(x, y - 4), (x + 16, y + 4)], color.filled()));
            }
        }
        if self.parts.iter().any(|(name, ..)| !name.is_empty()) {
            chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK.mix(0.3)).draw()?;
        }
        area.present()?;
        Ok(())
    }
}
