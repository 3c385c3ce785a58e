//! Conflict sets of the kernels of Table 1, derived from their loops by hand.
//!
//! A value w conflicts with every value that is written after w and before w's last use; the operation of the last use may
//! overwrite w. As in the paper, one last use is taken for all values of a statement that have none later, which adds conflicts
//! at the border only.

/// A context and the conflicting pairs.
pub(crate) struct Kernel {
    pub(crate) name: &'static str,
    pub(crate) context: &'static str,
    pub(crate) conflicts: &'static str,
}

/// `for t { for i S0: P[i] = f(Q[i-1], Q[i], Q[i+1]);  for i S1: Q[i] = P[i]; }`: S0(t,i) is used by S1(t,i), and S1(t,i) up to
/// S0(t+1,i+1).
pub(crate) const STENCIL_1D: Kernel = Kernel {
    name: "stencil, 1-d",
    context: "[T, N] -> { : T >= 2 and N >= 4 }",
    conflicts: "[T, N] -> {
        S0[t, i] -> S0[t, i'] : 1 <= t <= T and 1 <= i < i' <= N;
        S1[t, i] -> S1[t, i'] : 1 <= t <= T and 1 <= i < i' <= N;
        S0[t, i] -> S1[t, i'] : 1 <= t <= T and 1 <= i' < i <= N;
        S1[t, i] -> S0[t + 1, i'] : 1 <= t < T and 1 <= i' <= i <= N }",
};

/// The five-point stencil in the same form: S1(t,i,j) is used up to S0(t+1,i+1,j).
pub(crate) const STENCIL_2D: Kernel = Kernel {
    name: "stencil, 2-d",
    context: "[T, N] -> { : T >= 2 and N >= 4 }",
    conflicts: "[T, N] -> {
        S0[t, i, j] -> S0[t, i', j'] : 1 <= t <= T and 1 <= i < i' <= N and 1 <= j, j' <= N;
        S0[t, i, j] -> S0[t, i, j'] : 1 <= t <= T and 1 <= i <= N and 1 <= j < j' <= N;
        S1[t, i, j] -> S1[t, i', j'] : 1 <= t <= T and 1 <= i < i' <= N and 1 <= j, j' <= N;
        S1[t, i, j] -> S1[t, i, j'] : 1 <= t <= T and 1 <= i <= N and 1 <= j < j' <= N;
        S0[t, i, j] -> S1[t, i', j'] : 1 <= t <= T and 1 <= i' < i <= N and 1 <= j, j' <= N;
        S0[t, i, j] -> S1[t, i, j'] : 1 <= t <= T and 1 <= i <= N and 1 <= j' < j <= N;
        S1[t, i, j] -> S0[t + 1, i', j'] : 1 <= t < T and 1 <= i' <= i <= N and 1 <= j, j' <= N;
        S1[t, i, j] -> S0[t + 1, i + 1, j'] : 1 <= t < T and 1 <= i < N and 1 <= j' < j <= N }",
};

/// The seven-point stencil in the same form: S1(t,i,j,k) is used up to S0(t+1,i+1,j,k).
pub(crate) const STENCIL_3D: Kernel = Kernel {
    name: "stencil, 3-d",
    context: "[T, N] -> { : T >= 2 and N >= 4 }",
    conflicts: "[T, N] -> {
        S0[t, i, j, k] -> S0[t, i', j', k'] : 1 <= t <= T and 1 <= i < i' <= N and 1 <= j, j', k, k' <= N;
        S0[t, i, j, k] -> S0[t, i, j', k'] : 1 <= t <= T and 1 <= i <= N and 1 <= j < j' <= N and 1 <= k, k' <= N;
        S0[t, i, j, k] -> S0[t, i, j, k'] : 1 <= t <= T and 1 <= i, j <= N and 1 <= k < k' <= N;
        S1[t, i, j, k] -> S1[t, i', j', k'] : 1 <= t <= T and 1 <= i < i' <= N and 1 <= j, j', k, k' <= N;
        S1[t, i, j, k] -> S1[t, i, j', k'] : 1 <= t <= T and 1 <= i <= N and 1 <= j < j' <= N and 1 <= k, k' <= N;
        S1[t, i, j, k] -> S1[t, i, j, k'] : 1 <= t <= T and 1 <= i, j <= N and 1 <= k < k' <= N;
        S0[t, i, j, k] -> S1[t, i', j', k'] : 1 <= t <= T and 1 <= i' < i <= N and 1 <= j, j', k, k' <= N;
        S0[t, i, j, k] -> S1[t, i, j', k'] : 1 <= t <= T and 1 <= i <= N and 1 <= j' < j <= N and 1 <= k, k' <= N;
        S0[t, i, j, k] -> S1[t, i, j, k'] : 1 <= t <= T and 1 <= i, j <= N and 1 <= k' < k <= N;
        S1[t, i, j, k] -> S0[t + 1, i', j', k'] : 1 <= t < T and 1 <= i' <= i <= N and 1 <= j, j', k, k' <= N;
        S1[t, i, j, k] -> S0[t + 1, i + 1, j', k'] :
            1 <= t < T and 1 <= i < N and 1 <= j' < j <= N and 1 <= k, k' <= N;
        S1[t, i, j, k] -> S0[t + 1, i + 1, j, k'] : 1 <= t < T and 1 <= i < N and 1 <= j <= N and 1 <= k' < k <= N }",
};

/// Five passes over an N × N grid, each reading the five-point neighbourhood of the one before: a value at (i,j) is used up to
/// (i+1,j) of the next pass.
pub(crate) const JACOBI_SMOOTHING: Kernel = Kernel {
    name: "Jacobi smoothing",
    context: "[N] -> { : N >= 5 }",
    conflicts: "[N] -> {
        S0[i, j] -> S0[i', j'] : 0 <= i < i' < N and 0 <= j, j' < N; S0[i, j] -> S0[i, j'] : 0 <= i < N and 0 <= j < j' < N;
        S1[i, j] -> S1[i', j'] : 0 <= i < i' < N and 0 <= j, j' < N; S1[i, j] -> S1[i, j'] : 0 <= i < N and 0 <= j < j' < N;
        S2[i, j] -> S2[i', j'] : 0 <= i < i' < N and 0 <= j, j' < N; S2[i, j] -> S2[i, j'] : 0 <= i < N and 0 <= j < j' < N;
        S3[i, j] -> S3[i', j'] : 0 <= i < i' < N and 0 <= j, j' < N; S3[i, j] -> S3[i, j'] : 0 <= i < N and 0 <= j < j' < N;
        S4[i, j] -> S4[i', j'] : 0 <= i < i' < N and 0 <= j, j' < N; S4[i, j] -> S4[i, j'] : 0 <= i < N and 0 <= j < j' < N;
        S0[i, j] -> S1[i', j'] : 0 <= i' <= i < N and 0 <= j, j' < N;
        S0[i, j] -> S1[i + 1, j'] : 0 <= i < N - 1 and 0 <= j' < j < N;
        S1[i, j] -> S2[i', j'] : 0 <= i' <= i < N and 0 <= j, j' < N;
        S1[i, j] -> S2[i + 1, j'] : 0 <= i < N - 1 and 0 <= j' < j < N;
        S2[i, j] -> S3[i', j'] : 0 <= i' <= i < N and 0 <= j, j' < N;
        S2[i, j] -> S3[i + 1, j'] : 0 <= i < N - 1 and 0 <= j' < j < N;
        S3[i, j] -> S4[i', j'] : 0 <= i' <= i < N and 0 <= j, j' < N;
        S3[i, j] -> S4[i + 1, j'] : 0 <= i < N - 1 and 0 <= j' < j < N }",
};

/// One tile of `for x { for y S0(x,y);  for y S1(x,y) reads S0(x,y-w..y); }`, which all of S1 and the last w values of S0 in a
/// column outlive: `$outlives` says `B - w` and `$reads` how far S1 runs ahead of what it still reads, w − 1.
macro_rules! tile {
    ($outlives:literal, $reads:literal) => {
        concat!(
            "[B] -> {
        S0[x, y] -> S0[x, y'] : 0 <= x < B and 0 <= y < y' < B;
        S0[x, y] -> S0[x', y'] : 0 <= x < x' < B and ",
            $outlives,
            " <= y < B and 0 <= y' < B;
        S1[x, y] -> S1[x, y'] : 0 <= x < B and 0 <= y < y' < B;
        S1[x, y] -> S1[x', y'] : 0 <= x < x' < B and 0 <= y, y' < B;
        S0[x, y] -> S1[x, y'] : 0 <= x < B and 0 <= y, y' < B and y' <= y + ",
            $reads,
            ";
        S0[x, y] -> S1[x', y'] : 0 <= x < x' < B and ",
            $outlives,
            " <= y < B and 0 <= y' < B;
        S1[x, y] -> S0[x', y'] : 0 <= x < x' < B and 0 <= y, y' < B }"
        )
    };
}

/// One tile of a blur, column by column, with a window of three.
pub(crate) const BLUR_TILE: Kernel =
    Kernel { name: "blur, tile", context: "[B] -> { : B >= 4 }", conflicts: tile!("B - 2", "1") };

/// The same with a window of five.
pub(crate) const UNSHARP_TILE: Kernel =
    Kernel { name: "unsharp, tile", context: "[B] -> { : B >= 6 }", conflicts: tile!("B - 4", "3") };

/// The rows of Table 1.
pub(crate) const TABLE_1: [Kernel; 6] = [STENCIL_1D, STENCIL_2D, STENCIL_3D, JACOBI_SMOOTHING, BLUR_TILE, UNSHARP_TILE];
