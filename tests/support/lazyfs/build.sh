#!/bin/bash
# build.sh SOURCE OUT: builds LazyFS from a checkout of https://github.com/dsrhaslab/lazyfs into OUT, with libraries of
# Debian or Ubuntu (libfuse3-dev fuse3 pkg-config cmake g++ libspdlog-dev libtoml11-dev) in place of those that it downloads.
set -euo pipefail
source=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$source/libs" "$source/lazyfs" "$work"
cmake=$work/libs/libpcache/CMakeLists.txt
sed -i '/include(FetchContent)/,/set_target_properties(spdlog/c\find_package(spdlog REQUIRED)\nfind_package(toml11 REQUIRED)' "$cmake"
sed -i 's/toml11::toml11 spdlog/toml11::toml11 spdlog::spdlog/' "$cmake"
sed -i 's/^target_link_libraries(${CMAKE_PROJECT_NAME} fuse3.*/find_package(spdlog REQUIRED)\ntarget_link_libraries(${CMAKE_PROJECT_NAME} fuse3 Threads::Threads libpcache.so spdlog::spdlog)/' \
  "$work/lazyfs/CMakeLists.txt"
# Sockets, unless LAZYFS_NO_SOCKETS is set, and the free space: it has neither.
header=$work/lazyfs/include/lazyfs/lazyfs.hpp
code=$work/lazyfs/src/lazyfs.cpp
sed -i 's/^    static int lfs_mkdir (const char\* path, mode_t mode);/&\n    static int lfs_mknod (const char* path, mode_t mode, dev_t dev);\n    static int lfs_statfs (const char* path, struct statvfs* found);/' "$header"
sed -i 's/^int LazyFS::lfs_mkdir (const char\* path, mode_t mode) {/int LazyFS::lfs_mknod (const char* path, mode_t mode, dev_t dev) { return getenv ("LAZYFS_NO_SOCKETS") ? -ENOSYS : mknod (path, mode, dev) == -1 ? -errno : 0; }\nint LazyFS::lfs_statfs (const char* path, struct statvfs* found) { return statvfs (path, found) == -1 ? -errno : 0; }\n\n&/' "$code"
sed -i '1i #include <sys/statvfs.h>' "$header"
(cd "$work/libs/libpcache" && bash build.sh > /dev/null)
(cd "$work/lazyfs" && bash build.sh > /dev/null)
cp "$work/lazyfs/build/lazyfs" "$work"/libs/libpcache/build/libpcache.so* "$out"
echo "$out/lazyfs"
