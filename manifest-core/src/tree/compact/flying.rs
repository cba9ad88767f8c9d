//! Futures that are polled together, whatever runtime polls them.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

/// Numbered futures, polled in the order of their numbers. Any wake polls all of them: they are few, and what one does can let a
/// later one go on without waking it.
pub(super) struct Flying<F>(Vec<(usize, Pin<Box<F>>)>);

impl<F: Future> Flying<F> {
    pub(super) fn new() -> Self {
        Flying(Vec::new())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds a future, with a number above those that were added before.
    pub(super) fn push(&mut self, number: usize, future: F) {
        self.0.push((number, Box::pin(future)));
    }

    /// Drops those after this number.
    pub(super) fn cut(&mut self, last: usize) {
        self.0.retain(|(number, _)| *number <= last);
    }

    /// The next that is ready, with its number; `None` if there are none.
    pub(super) async fn next(&mut self) -> Option<(usize, F::Output)> {
        poll_fn(|context| {
            let mut all = self.0.iter_mut().enumerate();
            let ready = all.find_map(|(index, (number, future))| match future.as_mut().poll(context) {
                Poll::Ready(output) => Some((index, *number, output)),
                Poll::Pending => None,
            });
            match ready {
                Some((index, number, output)) => {
                    self.0.remove(index);
                    Poll::Ready(Some((number, output)))
                }
                None if self.0.is_empty() => Poll::Ready(None),
                None => Poll::Pending,
            }
        })
        .await
    }
}
