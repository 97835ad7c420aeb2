//! Which properties of a model are asked about.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Is one of these properties violated? A proof is one for all of them; a violation is one of at
/// least one of them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Question(Vec<usize>);

impl Question {
    pub fn one(property: usize) -> Question {
        Question(vec![property])
    }

    /// None if there is no property to ask about.
    pub fn any_of(mut properties: Vec<usize>) -> Option<Question> {
        properties.sort_unstable();
        properties.dedup();
        (!properties.is_empty()).then_some(Question(properties))
    }

    /// In ascending order, at least one.
    pub fn properties(&self) -> &[usize] {
        &self.0
    }

    /// The property, if it is only one.
    pub fn single(&self) -> Option<usize> {
        match self.0[..] {
            [property] => Some(property),
            _ => None,
        }
    }
}

/// The numbers, with commas in between.
impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(usize::to_string).collect();
        f.write_str(&numbers.join(","))
    }
}

impl FromStr for Question {
    type Err = String;

    fn from_str(text: &str) -> Result<Question, String> {
        let number = |word: &str| {
            word.trim().parse().map_err(|_| format!("'{word}' is not the number of a property"))
        };
        let numbers: Result<Vec<usize>, String> = text.split(',').map(number).collect();
        Question::any_of(numbers?).ok_or_else(|| "no property is named".to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_read_as_they_are_written() {
        let question = Question::any_of(vec![7, 0, 3, 7]).unwrap();
        assert_eq!(question.properties(), [0, 3, 7]);
        assert_eq!(question.to_string(), "0,3,7");
        assert_eq!("0,3,7".parse(), Ok(question));
        assert_eq!("5".parse::<Question>().unwrap().single(), Some(5));
        assert!("".parse::<Question>().is_err() && "1,x".parse::<Question>().is_err());
        assert_eq!(Question::any_of(Vec::new()), None);
    }
}
