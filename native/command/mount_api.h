/*
 * The kernel's mount calls that work on descriptors (Linux 5.2 and later; mount_setattr: 5.12). Declared here, since
 * the C library has them only since 2.36, and its header and the kernel's contradict each other.
 */
#ifndef WARDENPOOL_MOUNT_API_H
#define WARDENPOOL_MOUNT_API_H

#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TREE_CLONE 1u
#define TREE_CLOEXEC 02000000u
#define TREE_RECURSIVE 0x8000u
#define TREE_EMPTY_PATH 0x1000u

#define MOVE_FROM_EMPTY_PATH 0x04u
#define MOVE_TO_EMPTY_PATH 0x40u

#define ATTRIBUTE_READ_ONLY 0x1u
#define ATTRIBUTE_NO_SET_UID 0x2u
#define ATTRIBUTE_NO_DEVICES 0x4u
#define ATTRIBUTE_NO_EXECUTE 0x8u
#define ATTRIBUTE_ID_MAPPED 0x100000u

/* struct mount_attr */
struct mount_attributes {
  uint64_t set, clear, propagation, user_namespace;
};

/* A detached copy of the mount at `descriptor`, with all that is mounted below it. A descriptor, or -1 with errno. */
static inline int clone_tree(int descriptor) {
  return (int)syscall(SYS_open_tree, descriptor, "", TREE_CLONE | TREE_CLOEXEC | TREE_RECURSIVE | TREE_EMPTY_PATH);
}

/* Changes every mount of a tree. 0, or -1 with errno. */
static inline int set_tree_attributes(int tree, const struct mount_attributes *attributes) {
  return (int)syscall(SYS_mount_setattr, tree, "", TREE_RECURSIVE | TREE_EMPTY_PATH, attributes, sizeof *attributes);
}

/* Mounts a detached tree on what `target` refers to. 0, or -1 with errno. */
static inline int attach_tree(int tree, int target) {
  return (int)syscall(SYS_move_mount, tree, "", target, "", MOVE_FROM_EMPTY_PATH | MOVE_TO_EMPTY_PATH);
}

#endif
