/** A test compares the version with package.json. */
export const PROGRAM = { name: 'agent-runtime', version: '0.2.0' } as const;
