//! A partition of the numbers below n that is refined by marking elements.

/// A set is the part `first..past` of `elements`, in which the marked ones come first.
pub struct Partition {
    elements: Vec<u32>,
    /// Where an element is in `elements`.
    place: Vec<u32>,
    set: Vec<u32>,
    bounds: Vec<(u32, u32)>,
    marked: Vec<u32>,
    touched: Vec<u32>,
}

impl Partition {
    /// Elements with the same key are in the same set.
    pub fn by_key<K: Ord>(count: usize, key: impl Fn(u32) -> K) -> Partition {
        let mut elements: Vec<u32> = (0..count as u32).collect();
        elements.sort_by_key(|&element| key(element));
        let mut partition = Partition {
            place: vec![0; count],
            set: vec![0; count],
            bounds: Vec::new(),
            marked: Vec::new(),
            touched: Vec::new(),
            elements,
        };
        for at in 0..count {
            let element = partition.elements[at];
            let is_new = at == 0 || key(partition.elements[at - 1]) != key(element);
            if is_new {
                partition.bounds.push((at as u32, at as u32));
                partition.marked.push(0);
            }
            let set = partition.bounds.len() - 1;
            partition.bounds[set].1 += 1;
            partition.place[element as usize] = at as u32;
            partition.set[element as usize] = set as u32;
        }
        partition
    }

    pub fn sets(&self) -> usize {
        self.bounds.len()
    }

    pub fn set_of(&self, element: u32) -> u32 {
        self.set[element as usize]
    }

    pub fn elements(&self, set: usize) -> &[u32] {
        let (first, past) = self.bounds[set];
        &self.elements[first as usize..past as usize]
    }

    pub fn mark(&mut self, element: u32) {
        let set = self.set_of(element) as usize;
        let at = self.place[element as usize];
        let next = self.bounds[set].0 + self.marked[set];
        if at < next {
            return;
        }
        let other = self.elements[next as usize];
        self.elements.swap(at as usize, next as usize);
        self.place[other as usize] = at;
        self.place[element as usize] = next;
        if self.marked[set] == 0 {
            self.touched.push(set as u32);
        }
        self.marked[set] += 1;
    }

    /// Splits each set into its marked elements and the others; the smaller part becomes a new set.
    /// Nothing is marked afterwards.
    pub fn split(&mut self) {
        while let Some(set) = self.touched.pop() {
            let set = set as usize;
            let (first, past) = self.bounds[set];
            let middle = first + std::mem::take(&mut self.marked[set]);
            if middle == past {
                continue;
            }
            let new = match middle - first <= past - middle {
                true => {
                    self.bounds[set].0 = middle;
                    (first, middle)
                }
                false => {
                    self.bounds[set].1 = middle;
                    (middle, past)
                }
            };
            let number = self.bounds.len() as u32;
            self.bounds.push(new);
            self.marked.push(0);
            for at in new.0..new.1 {
                self.set[self.elements[at as usize] as usize] = number;
            }
        }
    }
}
