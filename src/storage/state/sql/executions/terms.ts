import { contentTerms } from '../../../../core/agents/executions/words.ts';

/*
 * Terms begin with the tenant, so that no search reads what others have, and are alphanumeric (no
 * query syntax). A few letters of the tenant are enough: the rows themselves are compared, too.
 */

const FACETS = {
  agentId: 'a',
  status: 's',
  provider: 'p',
  model: 'm',
  name: 'n',
  userId: 'u',
  tag: 't',
  kind: 'k',
} as const;

export type Facet = keyof typeof FACETS;
type Faceted = Record<Exclude<Facet, 'tag' | 'kind'>, string | null> & { tags: readonly string[] };

const STEM = 'w';

export function facetTerms(tenantId: string, execution: Faceted, kinds: readonly string[]): string[] {
  const { agentId, status, provider, model, name, userId, tags } = execution;
  const values = Object.entries({ agentId, status, provider, model, name, userId }) as [Facet, string | null][];
  return [
    tenantOf(tenantId),
    ...values.flatMap(([facet, value]) => (value === null ? [] : [facetTerm(tenantId, facet, value)])),
    ...tags.map((tag) => facetTerm(tenantId, 'tag', tag)),
    ...kinds.map((kind) => facetTerm(tenantId, 'kind', kind)),
  ];
}

/** In digits, since the index ignores case. */
export function facetTerm(tenantId: string, facet: Facet, value: string): string {
  return `${tenantOf(tenantId)}${FACETS[facet]}${Buffer.from(value).toString('hex')}`;
}

export function textTerms(tenantId: string, text: string): string[] {
  return contentTerms(text).map((stem) => textTerm(tenantId, stem));
}

export function textTerm(tenantId: string, stem: string): string {
  return `${tenantOf(tenantId)}${STEM}${stem}`;
}

function tenantOf(tenantId: string): string {
  return tenantId.slice(0, 8);
}
