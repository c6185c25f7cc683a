import type { Offer } from './support.ts';

/* Models that take every setting, and newer ones, which take fewer. */

export const ANTHROPIC: Offer = { name: 'anthropic', provider: 'anthropic', model: 'claude-sonnet-4-5' };
export const BEDROCK: Offer = { name: 'bedrock', provider: 'bedrock', model: 'anthropic.claude-sonnet-4-5-v1:0' };
export const CLAUDE = [ANTHROPIC, BEDROCK];
