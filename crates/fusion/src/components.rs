//! Strongly connected components, by Tarjan's algorithm, without recursion.

/// What Tarjan's algorithm keeps between calls, so that small graphs cost no allocation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tarjan {
    /// By node: when it was entered, from 1; 0 for not yet.
    entered: Vec<usize>,
    low: Vec<usize>,
    /// Nodes whose component is open.
    open: Vec<usize>,
    /// Nodes on the way from the root, with the number of successors that are done.
    path: Vec<(usize, usize)>,
    /// By node: its component; `usize::MAX` while that is open.
    pub(crate) component: Vec<usize>,
}

/// By node, the number of its component: components that are reached from others have smaller numbers.
pub(crate) fn components(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut tarjan = Tarjan::default();
    tarjan.run(successors.len(), |node, k| successors[node].get(k).copied());
    tarjan.component
}

impl Tarjan {
    /// Fills in `component`, given the k-th successor of a node.
    pub(crate) fn run(&mut self, nodes: usize, successor: impl Fn(usize, usize) -> Option<usize>) {
        for (numbers, value) in [(&mut self.entered, 0), (&mut self.low, 0), (&mut self.component, usize::MAX)] {
            numbers.clear();
            numbers.resize(nodes, value);
        }
        let (mut clock, mut found) = (0, 0);
        for root in 0..nodes {
            if self.entered[root] == 0 {
                self.enter(root, &mut clock);
                self.descend(&successor, &mut clock, &mut found);
            }
        }
    }

    fn enter(&mut self, node: usize, clock: &mut usize) {
        *clock += 1;
        (self.entered[node], self.low[node]) = (*clock, *clock);
        self.open.push(node);
        self.path.push((node, 0));
    }

    fn descend(&mut self, successor: &impl Fn(usize, usize) -> Option<usize>, clock: &mut usize, found: &mut usize) {
        while let Some((node, done)) = self.path.last_mut() {
            let (node, k) = (*node, *done);
            *done += 1;
            match successor(node, k) {
                Some(next) if self.entered[next] == 0 => self.enter(next, clock),
                Some(next) if self.component[next] == usize::MAX => {
                    self.low[node] = self.low[node].min(self.entered[next]);
                }
                Some(_) => {}
                None => self.leave(node, found),
            }
        }
    }

    fn leave(&mut self, node: usize, found: &mut usize) {
        self.path.pop();
        if let Some((parent, _)) = self.path.last() {
            self.low[*parent] = self.low[*parent].min(self.low[node]);
        }
        if self.low[node] != self.entered[node] {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.component[member] = *found;
            if member == node {
                break;
            }
        }
        *found += 1;
    }
}
