/** The name and version of this program. A test holds the version to that of package.json. */
export const PROGRAM = { name: 'agent-runtime', version: '0.1.0' } as const;
