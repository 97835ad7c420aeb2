//! From values to positions on an axis, and the marks beside it.

/// The shortest time that logarithmic axes show.
pub const SHORTEST: f64 = 0.01;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    Linear,
    Logarithmic,
}

/// An axis from its least value, which is 0 or the shortest time, to the largest.
#[derive(Clone, Copy)]
pub struct Axis {
    pub scale: Scale,
    pub most: f64,
}

impl Axis {
    pub fn new(scale: Scale, most: f64) -> Axis {
        let least = match scale {
            Scale::Linear => f64::MIN_POSITIVE,
            Scale::Logarithmic => 2.0 * SHORTEST,
        };
        Axis { scale, most: most.max(least) }
    }

    /// Between 0 and 1 for values in range.
    pub fn position(self, value: f64) -> f64 {
        let position = match self.scale {
            Scale::Linear => value / self.most,
            Scale::Logarithmic => {
                (value.max(SHORTEST) / SHORTEST).ln() / (self.most / SHORTEST).ln()
            }
        };
        position.clamp(0.0, 1.0)
    }

    /// Round values, and the largest one where nothing else is near.
    pub fn marks(self) -> Vec<f64> {
        match self.scale {
            Scale::Linear => {
                let rough = self.most / 5.0;
                let power = 10f64.powf(rough.log10().floor());
                let step =
                    [1.0, 2.0, 5.0, 10.0].map(|n| n * power).into_iter().find(|s| *s >= rough);
                let step = step.unwrap_or(self.most);
                (0..=5).map(|n| n as f64 * step).filter(|mark| *mark <= self.most * 1.001).collect()
            }
            Scale::Logarithmic => {
                let mut marks = Vec::new();
                let mut power = SHORTEST;
                while power < self.most * 0.7 {
                    marks.push(power);
                    power *= 10.0;
                }
                marks.push(self.most);
                marks
            }
        }
    }

    /// Lines between the marks of a logarithmic axis.
    pub fn fine(self) -> Vec<f64> {
        if self.scale == Scale::Linear {
            return Vec::new();
        }
        let mut fine = Vec::new();
        let mut power = SHORTEST;
        while power < self.most {
            fine.extend((2..10).map(|n| n as f64 * power).filter(|value| *value < self.most));
            power *= 10.0;
        }
        fine
    }
}

/// A value with no more digits than it needs.
pub fn shown(value: f64) -> String {
    let rounded = (value * 1000.0).round() / 1000.0;
    format!("{rounded}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_inside() {
        assert_eq!(Axis::new(Scale::Linear, 43.0).marks(), [0.0, 10.0, 20.0, 30.0, 40.0]);
        let axis = Axis::new(Scale::Logarithmic, 60.0);
        let marks: Vec<String> = axis.marks().into_iter().map(shown).collect();
        assert_eq!(marks, ["0.01", "0.1", "1", "10", "60"]);
        assert_eq!((axis.position(0.0), axis.position(60.0), axis.position(1e9)), (0.0, 1.0, 1.0));
        assert!(axis.fine().iter().all(|value| *value < 60.0));
    }
}
