/** A test compares the version with package.json. */
export const PROGRAM = { name: 'agent-runtime', version: '0.2.0' } as const;

/** Texts for registries and discovery; at most 100 characters each. */
export const ABOUT = {
  title: 'Agent Runtime',
  description: 'Self-hosted analytics of business events: KPIs, metrics, dashboards and documents for AI agents.',
} as const;
