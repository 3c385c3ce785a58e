//! The kernels: C functions `kernel(n, steps, in, out)` as a user writes them, and as an expert does.

/// A kernel and what its sizes mean.
pub(crate) struct Kernel {
    pub(crate) name: &'static str,
    pub(crate) source: &'static str,
    pub(crate) expert: &'static str,
    /// The loads, sums and stores of its order of execution and nothing else, where that is a stencil; it computes something else.
    pub(crate) floor: Option<&'static str>,
    pub(crate) element: Element,
    /// Cells of the function's own arrays in the source.
    pub(crate) own_cells: fn(u128, u128) -> u128,
    /// How many cells `in` and `out` have, in C.
    pub(crate) input_cells: &'static str,
    pub(crate) output_cells: &'static str,
    /// What an input is, in C, from its index `i` and a `noise` of 8 bits.
    pub(crate) value: &'static str,
    /// `steps` in L1, L2, L3 and memory.
    pub(crate) steps: [u64; 4],
    pub(crate) schedule: &'static str,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy)]
pub(crate) enum Element {
    Unsigned,
    Double,
}

/// What decides the goals.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// A stencil between two arrays, in less than three dimensions.
    ToAndFro,
    /// The same in three.
    InSpace,
    Other,
}

impl Element {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Unsigned => "unsigned",
            Self::Double => "double",
        }
    }

    pub(crate) fn bytes(self) -> u64 {
        match self {
            Self::Unsigned => 4,
            Self::Double => 8,
        }
    }
}

/// A kernel on squares, in one step and in its own order.
const SQUARE: Kernel = Kernel {
    name: "",
    source: "",
    expert: "",
    floor: None,
    element: Element::Double,
    own_cells: |n, _| 2 * n * n,
    input_cells: "n * n",
    output_cells: "n * n",
    value: "noise / 16",
    steps: [1; 4],
    schedule: "keep",
    kind: Kind::Other,
};

/// By rows; its order in strips is another row of the table.
const UNSHARP: Kernel = Kernel {
    name: "unsharp",
    source: include_str!("kernels/unsharp.c"),
    expert: include_str!("experts/unsharp.c"),
    own_cells: |n, _| 3 * n * n,
    schedule: "fuse-rows",
    ..SQUARE
};

pub(crate) const KERNELS: &[Kernel] = &[
    Kernel {
        name: "stencil_1d",
        source: include_str!("kernels/stencil_1d.c"),
        expert: include_str!("experts/stencil_1d.c"),
        floor: Some(include_str!("floors/stencil_1d.c")),
        own_cells: |n, _| 2 * n,
        input_cells: "n",
        output_cells: "n",
        steps: [1000, 500, 60, 10],
        kind: Kind::ToAndFro,
        ..SQUARE
    },
    Kernel {
        name: "stencil_2d",
        source: include_str!("kernels/stencil_2d.c"),
        expert: include_str!("experts/stencil_2d.c"),
        floor: Some(include_str!("floors/stencil_2d.c")),
        steps: [1000, 500, 60, 10],
        kind: Kind::ToAndFro,
        ..SQUARE
    },
    Kernel {
        name: "stencil_2d_border",
        source: include_str!("kernels/stencil_2d_border.c"),
        expert: include_str!("experts/stencil_2d_border.c"),
        floor: Some(include_str!("floors/stencil_2d.c")),
        steps: [1000, 500, 60, 10],
        kind: Kind::ToAndFro,
        ..SQUARE
    },
    Kernel {
        name: "stencil_3d",
        source: include_str!("kernels/stencil_3d.c"),
        expert: include_str!("experts/stencil_3d.c"),
        own_cells: |n, _| 2 * n * n * n,
        input_cells: "n * n * n",
        output_cells: "n * n * n",
        steps: [1000, 500, 60, 10],
        kind: Kind::InSpace,
        ..SQUARE
    },
    Kernel {
        name: "stencil_3d_border",
        source: include_str!("kernels/stencil_3d_border.c"),
        expert: include_str!("experts/stencil_3d_border.c"),
        own_cells: |n, _| 2 * n * n * n,
        input_cells: "n * n * n",
        output_cells: "n * n * n",
        steps: [1000, 500, 60, 10],
        kind: Kind::InSpace,
        ..SQUARE
    },
    Kernel {
        name: "jacobi_five",
        source: include_str!("kernels/jacobi_five.c"),
        expert: include_str!("experts/jacobi_five.c"),
        own_cells: |n, _| 4 * n * n,
        ..SQUARE
    },
    Kernel {
        name: "blur",
        source: include_str!("kernels/blur.c"),
        expert: include_str!("experts/blur.c"),
        own_cells: |n, _| n * n,
        schedule: "fuse-rows",
        ..SQUARE
    },
    UNSHARP,
    Kernel { name: "unsharp_strips", schedule: "strips", ..UNSHARP },
    Kernel {
        name: "blur_tiled",
        source: include_str!("kernels/blur_tiled.c"),
        expert: include_str!("experts/blur_tiled.c"),
        own_cells: |n, _| n * n,
        input_cells: "(n + 2) * n",
        ..SQUARE
    },
    Kernel {
        name: "gauss",
        source: include_str!("kernels/gauss.c"),
        expert: include_str!("experts/gauss.c"),
        element: Element::Unsigned,
        own_cells: |n, _| 9 * n * n + 3,
        ..SQUARE
    },
    Kernel {
        name: "durbin",
        source: include_str!("kernels/durbin.c"),
        expert: include_str!("experts/durbin.c"),
        own_cells: |n, _| 2 * n * n + 2 * n,
        input_cells: "n",
        output_cells: "n",
        value: "noise / 4096 / (i + 1)",
        ..SQUARE
    },
    Kernel {
        name: "time_tiled",
        source: include_str!("kernels/time_tiled.c"),
        expert: include_str!("experts/time_tiled.c"),
        own_cells: |n, steps| (steps + 1) * n,
        input_cells: "n",
        output_cells: "n",
        steps: [16, 32, 64, 127],
        ..SQUARE
    },
    Kernel {
        name: "dynprog",
        source: include_str!("kernels/dynprog.c"),
        expert: include_str!("experts/dynprog.c"),
        element: Element::Unsigned,
        own_cells: |n, _| n * n * n + n * n,
        ..SQUARE
    },
    Kernel {
        name: "reg_detect",
        source: include_str!("kernels/reg_detect.c"),
        expert: include_str!("experts/reg_detect.c"),
        element: Element::Unsigned,
        own_cells: |n, steps| 2 * n * n * (steps + 1),
        steps: [64; 4],
        ..SQUARE
    },
];

impl Kernel {
    /// The largest `n` whose own arrays take at most so many bytes.
    pub(crate) fn n_for(&self, bytes: u64, steps: u64) -> u64 {
        let fits = |n: u64| (self.own_cells)(n.into(), steps.into()) * u128::from(self.element.bytes()) <= bytes.into();
        let mut least = 4;
        let mut step = 1 << 26;
        while step > 0 {
            if fits(least + step) {
                least += step;
            }
            step /= 2;
        }
        least
    }
}
