/** A test compares the version with package.json. */
export const PROGRAM = { name: 'agent-runtime', version: '0.1.0' } as const;
