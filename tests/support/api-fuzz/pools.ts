import type { Operation } from './operations.ts';
import type { Random } from './random.ts';

/** What a path may name. */
export const NOUNS = [
  ...(['executions', 'reviews', 'cards', 'tabs', 'users', 'keys', 'sessions', 'invitations'] as const),
  ...(['jobs', 'stores', 'documents', 'connectors', 'credentials', 'metrics', 'terms', 'annotations'] as const),
  ...(['alerts', 'digests', 'rubrics', 'assessments', 'threads', 'queues', 'changes', 'links'] as const),
  ...([
    'segments',
    'cases',
    'authorizations',
    'grants',
    'passkeys',
    'identity-providers',
    'providers',
    'vendors',
  ] as const),
  'backups',
] as const;
export type Noun = (typeof NOUNS)[number];

/** Ids that the server made: another tenant's is refused. Of the rest each tenant has its own by any name. */
export const MADE_BY_SERVER: ReadonlySet<Noun> = new Set<Noun>([
  ...(['reviews', 'cards', 'tabs', 'users', 'keys', 'jobs', 'documents', 'annotations', 'alerts', 'digests'] as const),
  ...(['grants', 'assessments', 'changes', 'links'] as const),
]);

const OF_PARAMETER: Record<string, Noun> = {
  executionId: 'executions',
  threadId: 'threads',
  reviewId: 'reviews',
  assessmentId: 'assessments',
  jobId: 'jobs',
  name: 'stores',
  sessionId: 'sessions',
  documentId: 'documents',
  connector: 'connectors',
  slug: 'connectors',
  term: 'terms',
  handle: 'cases',
  ticket: 'backups',
  linkId: 'links',
  secret: 'links',
};

/** Of which noun a path parameter is the id. */
export function nounOf({ path }: Pick<Operation, 'path'>, parameter: string): Noun {
  const noun =
    path.match(
      /(cards|tabs|changes|users|keys|sessions|invitations|credentials|metrics|annotations|alerts|digests|queues|rubrics|segments|authorizations|grants|passkeys|identity-providers|providers|vendors)\/\{(id|name|vendor)\}/,
    )?.[1] ?? OF_PARAMETER[parameter];
  if (noun === undefined) throw new Error(`${path}: say in NOUNS what ${parameter} is the id of`);
  return noun as Noun;
}

const MAX_KEPT = 200;

/** The ids of what was made, so that requests get as far as what they name. */
export class Pools {
  private readonly ids = new Map<Noun, string[]>();

  add(noun: Noun, id: unknown): void {
    if (typeof id !== 'string' || id === '') return;
    const ids = this.ids.get(noun) ?? [];
    ids.push(id);
    this.ids.set(noun, ids.slice(-MAX_KEPT));
  }

  /** Often the one that came last, which nobody has deleted yet. */
  some(noun: Noun, random: Random): string {
    const ids = this.ids.get(noun) ?? [];
    if (ids.length === 0) return 'none-yet';
    return random.chance(0.4) ? ids.at(-1)! : random.oneOf(ids);
  }

  of(noun: Noun): readonly string[] {
    return this.ids.get(noun) ?? [];
  }
}

type Body = Record<string, unknown>;

/** What the success answer of an operation tells of what there is. */
const TOLD: Record<string, (body: Body) => [Noun, unknown][]> = {
  postObservabilityExecutions: ({ id }) => [['executions', id]],
  postObservabilityExecutionsExecutionIdReviews: ({ id }) => [['reviews', id]],
  postObservabilityExecutionsExecutionIdAssessments: ({ id }) => [['assessments', id]],
  postObservabilityRubrics: ({ name }) => [['rubrics', name]],
  postObservabilityDashboardCards: ({ id }) => [['cards', id]],
  postObservabilityDashboardTabs: ({ id }) => [['tabs', id]],
  postObservabilityMetrics: ({ metric }) => [['metrics', (metric as Body).name]],
  postObservabilityTerms: ({ term }) => [['terms', (term as Body).term]],
  postObservabilityAnnotations: ({ annotation }) => [['annotations', (annotation as Body).id]],
  postObservabilityAlerts: ({ alert }) => [['alerts', (alert as Body).id]],
  postObservabilityDigests: ({ digest }) => [['digests', (digest as Body).id]],
  postObservabilityQueues: ({ name }) => [['queues', name]],
  postObservabilitySegments: ({ segment }) => [['segments', (segment as Body).name]],
  // Pictures have none.
  postObservabilityDashboardCardsPreview: ({ basis }) => [['cases', (basis as Body | undefined)?.cases]],
  postPortalIdentityProviders: ({ id }) => [['identity-providers', id]],
  postPortalInvitations: ({ id }) => [['invitations', id]],
  postPortalUsers: ({ id }) => [['users', id]],
  postPortalKeys: ({ id }) => [['keys', id]],
  postPortalKeysIdRotate: ({ id }) => [['keys', id]],
  postVectorsFilesIngest: ({ jobId, vectorStore }) => [
    ['jobs', jobId],
    ['stores', vectorStore],
  ],
  putPortalConnectorsSlug: ({ slug }) => [['connectors', slug]],
  putPortalCredentialsName: ({ name }) => [['credentials', name]],
  getVectorsIngestionJobsJobId: ({ documentId }) => [['documents', documentId]],
};

export function learn(pools: Pools, operationId: string, body: unknown): void {
  for (const [noun, id] of TOLD[operationId]?.((body ?? {}) as Body) ?? []) pools.add(noun, id);
}
