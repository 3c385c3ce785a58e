//! Work on two threads: as many as the smallest machine that runs the tests has cores.

use std::sync::Mutex;

/// The results in the order of the items.
pub fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let queue = Mutex::new(items.into_iter().enumerate());
    let next = || queue.lock().expect("nobody panics while taking an item").next();
    let run = || std::iter::from_fn(next).map(|(at, item)| (at, work(item))).collect::<Vec<_>>();
    let mut results = std::thread::scope(|scope| {
        let other = scope.spawn(run);
        let mut results = run();
        results.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        results
    });
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}
