//! The C functions that the layer uses; see isl's manual for their meaning.
#![allow(missing_docs)]

use std::ffi::{c_char, c_int, c_long, c_uint, c_ulong, c_void};

macro_rules! opaque {
    ($($name:ident),*) => { $(
        #[repr(C)]
        pub(crate) struct $name { _private: [u8; 0] }
    )* };
}
opaque!(
    isl_ctx,
    isl_set,
    isl_basic_set,
    isl_map,
    isl_basic_map,
    isl_pw_aff,
    isl_aff,
    isl_val,
    isl_space,
    isl_pw_multi_aff
);
opaque!(
    isl_point,
    isl_mat,
    isl_union_map,
    isl_union_set,
    isl_union_access_info,
    isl_union_flow,
    isl_ast_build,
    isl_ast_expr,
    isl_ast_node
);
opaque!(isl_ast_node_list, isl_id, isl_id_list, File);

pub(crate) const DIM_CONSTANT: c_uint = 0;
pub(crate) const DIM_PARAM: c_uint = 1;
pub(crate) const DIM_IN: c_uint = 2;
pub(crate) const DIM_OUT: c_uint = 3;
pub(crate) const DIM_SET: c_uint = 3;
pub(crate) const DIM_DIV: c_uint = 4;
pub(crate) const ON_ERROR_CONTINUE: c_int = 1;
pub(crate) const ERROR_QUOTA: c_int = 6;

macro_rules! functions {
    ($($name:ident($($type:ty),*) $(-> $ret:ty)?;)*) => {
        unsafe extern "C" { $( pub(crate) fn $name($(_: $type),*) $(-> $ret)?; )* }
    };
}
type Set = *mut isl_set;
type Map = *mut isl_map;
type PwAff = *mut isl_pw_aff;
type Aff = *mut isl_aff;
type Val = *mut isl_val;
type UnionMap = *mut isl_union_map;
type Bool = c_int;
type Stat = c_int;

functions! {
    isl_ctx_alloc() -> *mut isl_ctx;
    isl_ctx_free(*mut isl_ctx);
    isl_ctx_get_max_operations(*mut isl_ctx) -> c_ulong;
    isl_ctx_set_max_operations(*mut isl_ctx, c_ulong);
    isl_ctx_reset_operations(*mut isl_ctx);
    isl_ctx_last_error(*mut isl_ctx) -> c_int;
    isl_ctx_last_error_msg(*mut isl_ctx) -> *const c_char;
    isl_ctx_reset_error(*mut isl_ctx);
    isl_options_set_on_error(*mut isl_ctx, c_int) -> Stat;
    free(*mut c_void);
    fmemopen(*mut c_void, usize, *const c_char) -> *mut File;
    ftell(*mut File) -> c_long;
    fclose(*mut File) -> c_int;

    isl_val_zero(*mut isl_ctx) -> Val;
    isl_val_int_from_si(*mut isl_ctx, c_long) -> Val;
    isl_pw_aff_scale_val(PwAff, Val) -> PwAff;
    isl_val_free(Val) -> Val;
    isl_val_is_int(Val) -> Bool;
    isl_val_n_abs_num_chunks(Val, usize) -> c_int;
    isl_val_get_num_si(Val) -> c_long;
    isl_val_to_str(Val) -> *mut c_char;

    isl_set_read_from_str(*mut isl_ctx, *const c_char) -> Set;
    isl_set_read_from_file(*mut isl_ctx, *mut File) -> Set;
    isl_set_flatten(Set) -> Set;
    isl_set_to_str(Set) -> *mut c_char;
    isl_set_copy(Set) -> Set;
    isl_set_free(Set) -> Set;
    isl_set_union(Set, Set) -> Set;
    isl_set_intersect(Set, Set) -> Set;
    isl_set_intersect_params(Set, Set) -> Set;
    isl_set_subtract(Set, Set) -> Set;
    isl_set_coalesce(Set) -> Set;
    isl_set_params(Set) -> Set;
    isl_set_gist_params(Set, Set) -> Set;
    isl_set_lexmin(Set) -> Set;
    isl_set_is_empty(Set) -> Bool;
    isl_set_is_subset(Set, Set) -> Bool;
    isl_set_dim(Set, c_uint) -> c_int;
    isl_set_n_basic_set(Set) -> c_int;
    isl_set_dim_max(Set, c_int) -> PwAff;
    isl_set_dim_min(Set, c_int) -> PwAff;
    isl_set_dim_max_val(Set, c_int) -> Val;
    isl_set_dim_min_val(Set, c_int) -> Val;
    isl_set_fix_val(Set, c_uint, c_uint, Val) -> Set;
    isl_set_project_out(Set, c_uint, c_uint, c_uint) -> Set;
    isl_set_neg(Set) -> Set;
    isl_set_apply(Set, Map) -> Set;
    isl_set_unwrap(Set) -> Map;
    isl_set_sample_point(Set) -> *mut isl_point;
    isl_set_has_equal_space(Set, Set) -> Bool;
    isl_set_from_pw_aff(PwAff) -> Set;
    isl_set_foreach_point(Set, extern "C" fn(*mut isl_point, *mut c_void) -> Stat, *mut c_void) -> Stat;
    isl_set_get_dim_name(Set, c_uint, c_uint) -> *const c_char;
    isl_set_reset_tuple_id(Set) -> Set;
    isl_set_get_space(Set) -> *mut isl_space;
    isl_set_identity(Set) -> Map;
    isl_set_flat_product(Set, Set) -> Set;
    isl_set_from_basic_set(*mut isl_basic_set) -> Set;
    isl_set_project_out_all_params(Set) -> Set;
    isl_set_convex_hull(Set) -> *mut isl_basic_set;
    isl_set_simple_hull(Set) -> *mut isl_basic_set;
    isl_set_is_bounded(Set) -> Bool;
    isl_set_remove_divs(Set) -> Set;
    isl_set_make_disjoint(Set) -> Set;
    isl_set_drop_constraints_not_involving_dims(Set, c_uint, c_uint, c_uint) -> Set;
    isl_set_foreach_basic_set(Set, extern "C" fn(*mut isl_basic_set, *mut c_void) -> Stat, *mut c_void) -> Stat;
    isl_basic_set_free(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_dim(*mut isl_basic_set, c_uint) -> c_int;
    isl_basic_set_equalities_matrix(*mut isl_basic_set, c_uint, c_uint, c_uint, c_uint) -> *mut isl_mat;
    isl_basic_set_inequalities_matrix(*mut isl_basic_set, c_uint, c_uint, c_uint, c_uint) -> *mut isl_mat;

    isl_basic_set_from_constraint_matrices(*mut isl_space, *mut isl_mat, *mut isl_mat, c_uint, c_uint, c_uint, c_uint) -> *mut isl_basic_set;
    isl_basic_map_from_constraint_matrices(*mut isl_space, *mut isl_mat, *mut isl_mat, c_uint, c_uint, c_uint, c_uint, c_uint) -> *mut isl_basic_map;
    isl_map_from_basic_map(*mut isl_basic_map) -> Map;
    isl_space_set_alloc(*mut isl_ctx, c_uint, c_uint) -> *mut isl_space;
    isl_space_alloc(*mut isl_ctx, c_uint, c_uint, c_uint) -> *mut isl_space;

    isl_mat_alloc(*mut isl_ctx, c_uint, c_uint) -> *mut isl_mat;
    isl_mat_set_element_val(*mut isl_mat, c_int, c_int, Val) -> *mut isl_mat;
    isl_mat_free(*mut isl_mat) -> *mut isl_mat;
    isl_mat_rows(*mut isl_mat) -> c_int;
    isl_mat_cols(*mut isl_mat) -> c_int;
    isl_mat_get_element_val(*mut isl_mat, c_int, c_int) -> Val;

    isl_point_free(*mut isl_point) -> *mut isl_point;
    isl_point_is_void(*mut isl_point) -> Bool;
    isl_point_get_coordinate_val(*mut isl_point, c_uint, c_int) -> Val;

    isl_set_dim_has_lower_bound(Set, c_uint, c_uint) -> Bool;
    isl_set_dim_has_upper_bound(Set, c_uint, c_uint) -> Bool;
    isl_set_gist(Set, Set) -> Set;
    isl_set_compute_divs(Set) -> Set;
    isl_set_affine_hull(Set) -> *mut isl_basic_set;
    isl_set_find_dim_by_name(Set, c_uint, *const c_char) -> c_int;
    isl_set_move_dims(Set, c_uint, c_uint, c_uint, c_uint, c_uint) -> Set;
    isl_set_insert_dims(Set, c_uint, c_uint, c_uint) -> Set;
    isl_pw_multi_aff_from_set(Set) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_coalesce(*mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_get_pw_aff(*mut isl_pw_multi_aff, c_int) -> PwAff;
    isl_pw_multi_aff_free(*mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;

    isl_map_read_from_str(*mut isl_ctx, *const c_char) -> Map;
    isl_map_get_tuple_name(Map, c_uint) -> *const c_char;
    isl_set_get_tuple_name(Set) -> *const c_char;
    isl_map_get_dim_name(Map, c_uint, c_uint) -> *const c_char;
    isl_map_to_str(Map) -> *mut c_char;
    isl_map_copy(Map) -> Map;
    isl_map_free(Map) -> Map;
    isl_map_union(Map, Map) -> Map;
    isl_map_intersect(Map, Map) -> Map;
    isl_map_intersect_params(Map, Set) -> Map;
    isl_map_intersect_domain(Map, Set) -> Map;
    isl_map_gist_domain(Map, Set) -> Map;
    isl_map_intersect_range(Map, Set) -> Map;
    isl_map_subtract(Map, Map) -> Map;
    isl_map_domain(Map) -> Set;
    isl_map_range(Map) -> Set;
    isl_map_params(Map) -> Set;
    isl_map_reverse(Map) -> Map;
    isl_map_apply_range(Map, Map) -> Map;
    isl_map_apply_domain(Map, Map) -> Map;
    isl_map_deltas(Map) -> Set;
    isl_map_lexmin(Map) -> Map;
    isl_map_lexmax(Map) -> Map;
    isl_map_is_empty(Map) -> Bool;
    isl_map_is_injective(Map) -> Bool;
    isl_map_wrap(Map) -> Set;
    isl_map_uncurry(Map) -> Map;
    isl_map_project_out(Map, c_uint, c_uint, c_uint) -> Map;
    isl_map_plain_get_val_if_fixed(Map, c_uint, c_uint) -> Val;
    isl_map_range_factor_domain(Map) -> Map;
    isl_map_domain_product(Map, Map) -> Map;
    isl_map_from_domain_and_range(Set, Set) -> Map;
    isl_map_range_product(Map, Map) -> Map;
    isl_map_flat_range_product(Map, Map) -> Map;
    isl_map_is_single_valued(Map) -> Bool;
    isl_map_move_dims(Map, c_uint, c_uint, c_uint, c_uint, c_uint) -> Map;
    isl_map_set_dim_name(Map, c_uint, c_uint, *const c_char) -> Map;
    isl_map_dim(Map, c_uint) -> c_int;
    isl_map_reset_tuple_id(Map, c_uint) -> Map;
    isl_map_set_tuple_name(Map, c_uint, *const c_char) -> Map;
    isl_map_lex_le(*mut isl_space) -> Map;
    isl_map_identity(*mut isl_space) -> Map;
    isl_map_universe(*mut isl_space) -> Map;
    isl_map_equate(Map, c_uint, c_int, c_uint, c_int) -> Map;
    isl_map_order_lt(Map, c_uint, c_int, c_uint, c_int) -> Map;
    isl_space_map_from_set(*mut isl_space) -> *mut isl_space;
    isl_map_lex_lt(*mut isl_space) -> Map;
    isl_map_lex_ge(*mut isl_space) -> Map;
    isl_map_lex_gt(*mut isl_space) -> Map;
    isl_map_n_basic_map(Map) -> c_int;

    isl_union_map_from_map(Map) -> UnionMap;
    isl_union_map_read_from_str(*mut isl_ctx, *const c_char) -> UnionMap;
    isl_union_map_foreach_map(UnionMap, extern "C" fn(Map, *mut c_void) -> Stat, *mut c_void) -> Stat;
    isl_union_map_free(UnionMap) -> UnionMap;
    isl_union_set_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_union_set;
    isl_union_set_foreach_set(*mut isl_union_set, extern "C" fn(Set, *mut c_void) -> Stat, *mut c_void) -> Stat;
    isl_union_set_free(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_map_union(UnionMap, UnionMap) -> UnionMap;
    isl_union_access_info_from_sink(UnionMap) -> *mut isl_union_access_info;
    isl_union_access_info_set_must_source(*mut isl_union_access_info, UnionMap) -> *mut isl_union_access_info;
    isl_union_access_info_set_may_source(*mut isl_union_access_info, UnionMap) -> *mut isl_union_access_info;
    isl_union_access_info_set_schedule_map(*mut isl_union_access_info, UnionMap) -> *mut isl_union_access_info;
    isl_union_access_info_compute_flow(*mut isl_union_access_info) -> *mut isl_union_flow;
    isl_union_flow_get_full_may_dependence(*mut isl_union_flow) -> UnionMap;
    isl_union_flow_free(*mut isl_union_flow) -> *mut isl_union_flow;

    isl_pw_aff_read_from_str(*mut isl_ctx, *const c_char) -> PwAff;
    isl_pw_aff_to_str(PwAff) -> *mut c_char;
    isl_pw_aff_copy(PwAff) -> PwAff;
    isl_pw_aff_free(PwAff) -> PwAff;
    isl_pw_aff_neg(PwAff) -> PwAff;
    isl_pw_aff_sub(PwAff, PwAff) -> PwAff;
    isl_pw_aff_add(PwAff, PwAff) -> PwAff;
    isl_pw_aff_union_max(PwAff, PwAff) -> PwAff;
    isl_pw_aff_coalesce(PwAff) -> PwAff;
    isl_pw_aff_gist_params(PwAff, Set) -> PwAff;
    isl_pw_aff_intersect_params(PwAff, Set) -> PwAff;
    isl_pw_aff_domain(PwAff) -> Set;
    isl_pw_aff_dim(PwAff, c_uint) -> c_int;
    isl_pw_aff_get_dim_name(PwAff, c_uint, c_uint) -> *const c_char;
    isl_pw_aff_involves_dims(PwAff, c_uint, c_uint, c_uint) -> Bool;
    isl_pw_aff_ge_set(PwAff, PwAff) -> Set;
    isl_pw_aff_eq_set(PwAff, PwAff) -> Set;
    isl_pw_aff_foreach_piece(PwAff, extern "C" fn(Set, Aff, *mut c_void) -> Stat, *mut c_void) -> Stat;
    isl_pw_aff_from_aff(Aff) -> PwAff;

    isl_ast_build_from_context(Set) -> *mut isl_ast_build;
    isl_ast_build_free(*mut isl_ast_build) -> *mut isl_ast_build;
    isl_ast_build_expr_from_set(*mut isl_ast_build, Set) -> *mut isl_ast_expr;
    isl_ast_build_expr_from_pw_aff(*mut isl_ast_build, PwAff) -> *mut isl_ast_expr;
    isl_ast_expr_to_C_str(*mut isl_ast_expr) -> *mut c_char;
    isl_ast_expr_free(*mut isl_ast_expr) -> *mut isl_ast_expr;
    isl_ast_expr_get_type(*mut isl_ast_expr) -> c_int;
    isl_ast_expr_get_op_type(*mut isl_ast_expr) -> c_int;
    isl_ast_expr_get_op_n_arg(*mut isl_ast_expr) -> c_int;
    isl_ast_expr_get_op_arg(*mut isl_ast_expr, c_int) -> *mut isl_ast_expr;
    isl_ast_expr_get_val(*mut isl_ast_expr) -> Val;
    isl_ast_expr_get_id(*mut isl_ast_expr) -> *mut isl_id;
    isl_ast_build_set_iterators(*mut isl_ast_build, *mut isl_id_list) -> *mut isl_ast_build;
    isl_ast_build_set_options(*mut isl_ast_build, UnionMap) -> *mut isl_ast_build;
    isl_ast_build_node_from_schedule_map(*mut isl_ast_build, UnionMap) -> *mut isl_ast_node;
    isl_ast_node_free(*mut isl_ast_node) -> *mut isl_ast_node;
    isl_ast_node_get_type(*mut isl_ast_node) -> c_int;
    isl_ast_node_for_get_iterator(*mut isl_ast_node) -> *mut isl_ast_expr;
    isl_ast_node_for_get_init(*mut isl_ast_node) -> *mut isl_ast_expr;
    isl_ast_node_for_get_cond(*mut isl_ast_node) -> *mut isl_ast_expr;
    isl_ast_node_for_get_inc(*mut isl_ast_node) -> *mut isl_ast_expr;
    isl_ast_node_for_get_body(*mut isl_ast_node) -> *mut isl_ast_node;
    isl_ast_node_for_is_degenerate(*mut isl_ast_node) -> Bool;
    isl_ast_node_if_get_cond(*mut isl_ast_node) -> *mut isl_ast_expr;
    isl_ast_node_if_get_then(*mut isl_ast_node) -> *mut isl_ast_node;
    isl_ast_node_if_has_else(*mut isl_ast_node) -> Bool;
    isl_ast_node_if_get_else(*mut isl_ast_node) -> *mut isl_ast_node;
    isl_ast_node_block_get_children(*mut isl_ast_node) -> *mut isl_ast_node_list;
    isl_ast_node_list_n_ast_node(*mut isl_ast_node_list) -> c_int;
    isl_ast_node_list_get_ast_node(*mut isl_ast_node_list, c_int) -> *mut isl_ast_node;
    isl_ast_node_list_free(*mut isl_ast_node_list) -> *mut isl_ast_node_list;
    isl_ast_node_user_get_expr(*mut isl_ast_node) -> *mut isl_ast_expr;
    isl_id_alloc(*mut isl_ctx, *const c_char, *mut c_void) -> *mut isl_id;
    isl_id_free(*mut isl_id) -> *mut isl_id;
    isl_id_get_name(*mut isl_id) -> *const c_char;
    isl_id_list_alloc(*mut isl_ctx, c_int) -> *mut isl_id_list;
    isl_id_list_add(*mut isl_id_list, *mut isl_id) -> *mut isl_id_list;
}
