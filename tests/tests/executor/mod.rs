//! A runtime of a few lines, that knows when nobody can go on.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// A small generator of numbers (splitmix64): the same seed, the same numbers.
#[derive(Clone, Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// Whether something of this chance happens.
    pub(crate) fn chance(&mut self, chance: f64) -> bool {
        #[expect(clippy::cast_precision_loss, reason = "53 bits are kept")]
        let share = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        share < chance
    }
}

/// Is ready after so many polls.
pub(crate) async fn polled(times: u64) {
    let mut left = times;
    poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(());
        }
        left -= 1;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Polls a future so often at most, then drops it.
pub(crate) async fn at_most<F: Future>(polls: u64, future: F) -> Option<F::Output> {
    let mut future = Box::pin(future);
    let mut left = polls;
    poll_fn(move |context| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        future.as_mut().poll(context).map(Some)
    })
    .await
}

/// The same on this thread. A future that waits without having asked to be woken panics.
pub(crate) fn poll_at_most<F: Future>(polls: u64, future: F) -> Option<F::Output> {
    let woken = Arc::new(Woken(AtomicBool::new(true)));
    let waker = Waker::from(woken.clone());
    let mut future = pin!(future);
    for _ in 0..polls {
        assert!(woken.0.swap(false, Ordering::SeqCst), "nobody would wake it: a deadlock");
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return Some(output);
        }
    }
    None
}

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Runs all futures together to their ends. Where none of those that are left was woken, it panics.
pub(crate) fn drive<F: Future>(futures: Vec<F>) -> Vec<F::Output> {
    let mut outputs: Vec<Option<F::Output>> = futures.iter().map(|_| None).collect();
    let mut tasks: Vec<(usize, Pin<Box<F>>, Arc<Woken>)> = futures
        .into_iter()
        .enumerate()
        .map(|(number, future)| (number, Box::pin(future), Arc::new(Woken(AtomicBool::new(true)))))
        .collect();
    while !tasks.is_empty() {
        let mut polled = false;
        tasks.retain_mut(|(number, future, woken)| {
            if !woken.0.swap(false, Ordering::SeqCst) {
                return true;
            }
            polled = true;
            let waker = Waker::from(woken.clone());
            match future.as_mut().poll(&mut Context::from_waker(&waker)) {
                Poll::Pending => true,
                Poll::Ready(output) => {
                    outputs[*number] = Some(output);
                    false
                }
            }
        });
        assert!(polled, "{} are left and none was woken: a deadlock", tasks.len());
    }
    outputs.into_iter().flatten().collect()
}
