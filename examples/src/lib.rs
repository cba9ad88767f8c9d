//! The examples stand in `examples/`; the recorded sessions in `sessions/`.
