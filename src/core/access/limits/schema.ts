import { z } from 'zod';
import { filtersSchema } from '../../base/filters/filter-schema.ts';
import { type AccessLimits, beyond } from '../../base/filters/limits.ts';
import { type Caller, hasScope, SCOPES, type Scope } from '../../base/shared/caller.ts';
import { forbidden, invalid } from '../../base/shared/errors.ts';
import { agentIdSchema, eventNameSchema, nameSchema } from '../../base/shared/name-schemas.ts';
import { requestSchemas } from '../../base/shared/schema-names.ts';

const MAX_NAMES = 200;

/** An empty list would limit nothing, or everything: neither is meant. */
function names(item: z.ZodType<string>, what: string) {
  return z
    .array(item)
    .min(1, `needs at least one ${what}; leave it out where nothing is to be limited`)
    .max(MAX_NAMES)
    .optional();
}

export const limitsSchema = z.strictObject({
  agents: names(agentIdSchema, 'agent').describe('Only what these agents recorded.'),
  eventNames: names(eventNameSchema, 'event name').describe('Only events of these names.'),
  filters: filtersSchema
    .min(1, 'needs at least one filter; leave it out where nothing is to be limited')
    .optional()
    .describe('Only events that pass all of them, such as `country` `eq` `BR`.'),
  segment: nameSchema(100).optional().describe('Only events of the subjects of this saved segment.'),
  vectorStores: names(nameSchema(200), 'vector store').describe('Only these vector stores.'),
  connectors: names(nameSchema(200), 'connector').describe('Only connectors with these slugs.'),
  models: names(nameSchema(200), 'model').describe(
    'Only models that one of these patterns fits, as `provider/model`, `providerName/model` or the model alone; `*` stands for any text.',
  ),
});
requestSchemas.add(limitsSchema, { id: 'Limits' });

/** Roles that do not administer: an administrator could lift the limits. */
export const LIMITED_ROLES = ['USER', 'VIEWER', 'HUB_USER'] as const;
export const roleLimitsSchema = z.partialRecord(z.enum(LIMITED_ROLES), limitsSchema);
export type RoleLimits = z.output<typeof roleLimitsSchema>;

/** Null for limits without a member. */
export function limitsOrNull(limits: AccessLimits | null | undefined): AccessLimits | null {
  return limits && Object.values(limits).some((member) => member !== undefined) ? limits : null;
}

/**
 * The limits of what the caller grants: by default its own. Throws `forbidden` where they go beyond
 * these, and `invalid` for an agent outside of them.
 */
export function grantedLimits(
  by: Pick<Caller, 'limits'> | null,
  asked: AccessLimits | null | undefined,
  agentId: string | null = null,
): AccessLimits | null {
  const held = by?.limits ?? [];
  const limits = limitsOrNull(asked) ?? (held.length === 1 ? held[0]! : null);
  requireWithinOwn(by, limits);
  if (agentId !== null && limits?.agents && !limits.agents.includes(agentId)) {
    throw invalid(`agentId: is not one of limits.agents`);
  }
  return limits;
}

/** Throws `forbidden` for limits that go beyond those of the caller. */
export function requireWithinOwn(by: Pick<Caller, 'limits'> | null, limits: AccessLimits | null): void {
  for (const wide of by?.limits ?? []) {
    const [member] = beyond(limits ?? {}, wide);
    if (member) throw forbidden(`limits.${member}: you are held to less, and cannot grant more than you have.`);
  }
}

/** The scopes of a caller that its limits leave it. */
export function scopesWithin(caller: Pick<Caller, 'scopes' | 'limits'>): (Scope | '*')[] {
  return caller.limits ? SCOPES.filter((scope) => hasScope(caller, scope)) : [...caller.scopes];
}
