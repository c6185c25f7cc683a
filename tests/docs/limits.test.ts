import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, maxHeaderSize } from 'node:http';
import { test } from 'node:test';
import { MAX_QUESTIONS } from '../../src/core/agents/assessments/rubric-schema.ts';
import { MAX_ANSWERS_BYTES, MAX_TEXT_ANSWER } from '../../src/core/agents/assessments/schema.ts';
import { CONNECTOR_LIMITS } from '../../src/core/agents/connectors/definition/resource-schema.ts';
import { GAPS } from '../../src/core/agents/feedback/service.ts';
import { MIN_COMMENT } from '../../src/core/agents/reviews/schema.ts';
import { MAX_BATCH_EVENTS } from '../../src/core/analytics/events/ingest-schema.ts';
import { MAX_GROUPS } from '../../src/core/analytics/events/schema.ts';
import { LIMITS as DELIVERY_LIMITS } from '../../src/core/watch/deliveries/limits.ts';
import { routes } from '../../src/http/app.ts';
import { operationIdOf } from '../../src/http/docs/openapi.ts';
import { UPDATES_GOLDEN } from '../support/golden.ts';
import {
  body,
  characters,
  constant,
  count,
  fixed,
  member,
  page,
  pageOf,
  seconds,
  setting,
  size,
} from '../support/limits.ts';

/*
 * The table of docs/limits.md, generated from the constants of the code: UPDATE_GOLDEN=1 writes it. Add a row here for a
 * new limit.
 */

const PAGE = new URL('../../docs/limits.md', import.meta.url);

type Row = [what: string, limit: string, setting?: string];

const withBodies = routes.filter((route) => route.body).map(operationIdOf);

const USERS =
  /^(?!.*(Aggregate|Connectors|Credentials|SecondFactor|LoginPasskey|StepUp|IdentityProviders|PortalProviders)).*(Portal|Users)/;

/** Each limit of a body with the operations that have it. */
const BODIES: [what: string, operations: RegExp][] = [
  ['Body of a batch of events', /^postObservabilityEvents$/],
  ['Body of a chat, images and files included', /^postChatStream$/],
  ['Body of an execution, and its messages and output together', /^postObservabilityExecutions(ExecutionIdSteps)?$/],
  ['Body of a review', /^(postObservabilityExecutions.*Reviews|patchObservabilityReviews)/],
  ['Body of a rubric', /ObservabilityRubrics/],
  ['Body of an assessment', /^postObservabilityExecutions.*Assessments$/],
  ['Body of a queue', /ObservabilityQueues(Name)?$/],
  ['Body of a question about events', /EventsQuery$|PortalAggregate$|ObservabilityExplain$/],
  ['Body of a metric', /ObservabilityMetrics/],
  ['Body of a term', /ObservabilityTerms/],
  ['Body of an annotation', /ObservabilityAnnotations/],
  ['Body of an alert or a digest', /Observability(Alerts|Digests)(Id)?$/],
  ['Body of a segment', /ObservabilitySegments/],
  ['Body of a search', /Search$/],
  ['Body of a vector store', /VectorsStores(Name)?$/],
  ['Body of a card or a tab', /ObservabilityDashboard(Cards|Tabs)/],
  ['Body of a user or portal request', USERS],
  ['Body of a connector call or of a connector definition', /ConnectorsConnector$|PortalConnectorsSlug(Try)?$/],
  ['Body with an OpenAPI document', /ImportPreview$/],
  ['Body of a credential', /PortalCredentials/],
  ['Body of a second factor', /SecondFactor|LoginPasskey|StepUp/],
  ['Body of an identity provider', /PortalIdentityProviders(Id)?$/],
  ['Body of an LLM provider', /PortalProvidersName$/],
  [
    'Body of a cancellation, an undo, of a test of an alert, a digest or a provider, or of a step with an item of a queue',
    /Cancel$|Undo$|Test$|Queues.*(Next|Done|Skip|Release)$/,
  ],
];

const bodyRows: Row[] = [
  ...BODIES.map(([what, named]): Row => [what, body(...withBodies.filter((id) => named.test(id)))]),
  [
    'Members of one object in a body of more than 768 KB',
    count(constant('http/body/parse-in-slices.ts', 'MAX_MEMBERS')),
  ],
  ['Message to `/mcp`', size(constant('http/mcp/endpoint.ts', 'MAX_BYTES'))],
  [
    'Messages of a batch to `/mcp`; levels of nesting; members of its objects together',
    [
      ...['MAX_BATCH', 'MAX_DEPTH'].map((name) => constant('http/mcp/endpoint.ts', name)),
      count(constant('http/mcp/endpoint.ts', 'MAX_MEMBERS')),
    ].join('; '),
  ],
  ['File to be ingested', `${setting('uploadLimit').value} MB`, setting('uploadLimit').variable],
  [
    'Text field of an upload; all of them together',
    `${size(constant('http/body/form.ts', 'MAX_FIELD_BYTES'))}; ${size(constant('http/body/form.ts', 'MAX_OTHER_BYTES'))}`,
  ],
  [
    'Path and headers of a request together',
    size(maxHeaderSize),
    '`NODE_OPTIONS=--max-http-header-size=BYTES`; not of the executable',
  ],
  ['`x-request-id` that is accepted', '100 letters, digits and `_ . : -`'],
];

const timeRows: Row[] = [
  [
    'Requests with one key, of one user or of one tenant; at once after a pause',
    `${setting('rateLimit').value} a minute; ${fixed('rateLimitBurst')}`,
    setting('rateLimit').variable,
  ],
  ['Failed logins in 15 minutes for an e-mail: from one address; from all addresses', '10; 100'],
  [
    'Failed logins in 15 minutes from one address, before responses to unknown clients there are slowed',
    constant('core/access/auth/attempts.ts', 'FREE_FAILURES').toString(),
  ],
  [
    'Wrong codes of authenticator apps of a user: in 15 minutes; in a day',
    `5; ${constant('core/access/auth/attempts.ts', 'MAX_CODES_PER_DAY')}`,
  ],
  ['Passkeys of a user', constant('core/access/second-factor/enrolment.ts', 'MAX_PASSKEYS').toString()],
  ['Sessions of a user', constant('core/access/auth/sessions.ts', 'MAX_SESSIONS').toString()],
  ['Valid login links, of all users', constant('core/access/auth/logins.ts', 'MAX_LINKS').toString()],
  [
    'Request bodies in memory at once, of all tenants; of one tenant',
    `${size(constant('http/pipeline.ts', 'MAX_HELD_BYTES'))}; half`,
  ],
  [
    'Files that are written at once, of all tenants; of one tenant; while others send',
    ['MAX_UPLOADS', 'MAX_UPLOADS_ALONE', 'MAX_UPLOADS_CONTENDED']
      .map((name) => constant('http/pipeline.ts', name))
      .join('; '),
  ],
  [
    'Files that wait to be written, of one tenant; of all tenants',
    ['MAX_WAITING_UPLOADS', 'MAX_WAITING_UPLOADS_OF_ALL']
      .map((name) => count(constant('http/pipeline.ts', name)))
      .join('; '),
  ],
  [
    'Requests with invalid API keys, from one address',
    '100 at once, then 60 a minute',
    'off with AGENT_RUNTIME_RATE_LIMIT=0',
  ],
  ['API keys that one user creates', '30 at once, then 10 a minute'],
  [
    'Active API keys created by a user without an administrator role; of a tenant',
    `${constant('core/access/auth/keys.ts', 'MAX_OF_USER')}; ${count(constant('core/access/auth/keys.ts', 'MAX_OF_TENANT'))}`,
  ],
  [
    'Chats that stream at once with one key; in a tenant',
    `${fixed('chatStreams')}; ${constant('core/agents/chat/slots.ts', 'TENANT_FACTOR')} times as many`,
  ],
  [
    'Pictures drawn at once; PNGs waiting, of one tenant; of all tenants',
    ['MAX_AT_ONCE', 'MAX_WAITING', 'MAX_WAITING_OF_ALL']
      .map((name) => constant('pictures/pictures.ts', name))
      .join('; '),
  ],
  ['Exports of training data and of the audit log at once, of a tenant; of all tenants', '3; 12'],
  [
    'MCP streams open at once, of a key or a user; of a tenant',
    `${constant('http/mcp/streams.ts', 'MAX_STREAMS_OF_KEY')}; ${constant('http/mcp/streams.ts', 'MAX_STREAMS_OF_TENANT')}`,
  ],
  [
    'Connections of one address, trusted proxies excepted',
    count(constant('commands/server/listen.ts', 'MAX_CONNECTIONS_OF_ADDRESS')),
  ],
  ['Receiving the headers', seconds(createServer().headersTimeout)],
  ['Receiving a body', seconds(constant('http/deadline.ts', 'BODY_MS'))],
  [
    'Least progress of an upload; pause of a reader of a stream',
    `${size(constant('http/body/form.ts', 'MIN_PROGRESS_BYTES'))} in ${seconds(constant('http/body/multipart.ts', 'STALLED_MS'))}; ${seconds(constant('http/stream.ts', 'STALLED_MS'))}`,
  ],
  ['A query', `${setting('queryTimeout').value} s`, setting('queryTimeout').variable],
  ['Waiting for `x-wait-for`', seconds(constant('core/analytics/events/questions/ask.ts', 'WAIT_TIMEOUT_MS'))],
  ['First content of a chat', `${setting('chatTimeout').value} s`, setting('chatTimeout').variable],
  ['Pause of a provider within an answer', `${fixed('chatIdle')} s`],
  ['Attempts of a chat with each provider', String(constant('core/agents/chat/open-answer.ts', 'MAX_ATTEMPTS'))],
  ['Tests of LLM providers in a tenant', '10 at once, then 6 a minute'],
  ['LLM providers of a tenant in the portal', count(constant('core/agents/providers/definitions.ts', 'MAX_PROVIDERS'))],
  ['Events that wait to become queryable', `${setting('backlog').value} MB`, setting('backlog').variable],
  [
    'Vector stores of a tenant, beyond which none is made empty',
    count(constant('core/knowledge/vector-stores.ts', 'MAX_STORES')),
  ],
  ['Files of a tenant that are stored and not yet ingested', fixed('ingestQueue')],
  ['Files of a tenant that are ingested at once', setting('ingestThreads').value, setting('ingestThreads').variable],
];

const pageRows: Row[] = [
  [
    'Page of the feed, reviews, users, vector stores, documents and ingestion jobs',
    page(
      'getObservabilityEventsFeed',
      'getObservabilityReviews',
      'getPortalUsers',
      'getVectorsStores',
      'getVectorsStoresNameDocuments',
      'getVectorsStoresNameIngestionJobs',
    ),
  ],
  [
    'Page of keys, agents, connectors, credentials and the audit log',
    page('getPortalKeys', 'getPortalAgents', 'getPortalConnectors', 'getPortalCredentials', 'getPortalAuditLog'),
  ],
  [
    'Page of rubrics and assessments',
    page('getObservabilityRubrics', 'getObservabilityExecutionsExecutionIdAssessments'),
  ],
  ['Page of event names', page('getPortalEventNames')],
  ['Values of a property', page('getPortalPropertyValues')],
  ['Rows of a question about events', pageOf(member('EventsQuery.limit').description)],
  ['JSON of those rows', size(constant('core/analytics/events/questions/answer.ts', 'MAX_PAGE_BYTES'))],
  ['Results of a search', pageOf(member('Search.limit').description)],
  [
    'Groups of a KPI; points of a series; of the series of all groups',
    [
      count(MAX_GROUPS),
      ...['MAX_BUCKETS', 'MAX_POINTS'].map((name) => count(constant('core/analytics/events/questions/plan.ts', name))),
    ].join('; '),
  ],
];

const memberRows: Row[] = [
  ['Events of a batch', count(MAX_BATCH_EVENTS)],
  [
    'Properties of an event; levels of nesting',
    `${size(constant('core/analytics/events/fields.ts', 'MAX_BYTES'))}; ${constant('core/analytics/events/fields.ts', 'MAX_PROPERTIES_DEPTH')}`,
  ],
  [
    '`eventName`, `agentId`, `threadId`, `executionId` and ids of your own',
    characters(
      'IngestEvent.eventName',
      'IngestEvent.agentId',
      'IngestEvent.threadId',
      'IngestEvent.executionId',
      'IngestEvent.id',
      'RecordExecution.id',
    ),
  ],
  ['Key of a property', characters('EventFilter.propertyKey')],
  [
    'Filters, metrics and columns of a question',
    ['filters', 'metrics', 'columns'].map((name) => member(`EventsQuery.${name}`).maxItems).join(', '),
  ],
  ['Cards of an agent', count(constant('core/analytics/dashboards/service.ts', 'MAX_CARDS'))],
  [
    'JSON of the segments, metrics and rubrics with their versions, terms, alerts and cards of a tenant',
    size(constant('core/limits/quotas/definition-budget.ts', 'MAX_DEFINITIONS')),
  ],
  [
    'JSON of a page of segments, metrics, versions, rubrics or terms',
    size(constant('core/base/shared/paging.ts', 'MAX_PAGE_BYTES')),
  ],
  ['Cards that are rendered by one request', count(member('RenderCards.ids').maxItems!)],
  ['Messages of a chat or an execution', count(constant('core/agents/chat/schema.ts', 'MAX_MESSAGES'))],
  ['Tools; stop texts of a chat', `${member('ChatRequest.tools').maxItems}; ${member('ChatRequest.stop').maxItems}`],
  ['Comment of a review', `${MIN_COMMENT} to ${characters('CreateReview.comment')}`],
  ['Tags of a review; each', `${member('CreateReview.tags').maxItems}; ${characters('CreateReview.tags.items')}`],
  ['`correctedOutput`', characters('UpdateReview.correctedOutput')],
  [
    'Rubrics of a tenant; versions of one; its questions',
    [
      count(constant('core/agents/assessments/rubrics.ts', 'MAX_RUBRICS')),
      count(constant('core/agents/assessments/rubrics.ts', 'MAX_VERSIONS')),
      MAX_QUESTIONS,
    ].join('; '),
  ],
  [
    'Text; guidance; choices of a question',
    `${characters('CreateRubric.questions.items.text')}; ${characters('CreateRubric.questions.items.guidance')}; ${member('CreateRubric.questions.items.choices').maxItems}`,
  ],
  [
    'Text as an answer to a question; JSON of all answers; comment of an assessment',
    `${count(MAX_TEXT_ANSWER)} characters; ${MAX_ANSWERS_BYTES / 1024} KB; ${characters('Assess.comment')}`,
  ],
  ['Assessments of an execution', count(constant('core/agents/assessments/service.ts', 'MAX_OF_EXECUTION'))],
  [
    'Assessments that one agreement reads',
    count(constant('core/agents/assessments/agreement.ts', 'MAX_READ_TOGETHER')),
  ],
  [
    'Queues of a tenant; people whom one names',
    `${constant('core/agents/queues/service.ts', 'MAX_QUEUES')}; ${member('CreateQueue.userIds').maxItems}`,
  ],
  ['Query of a search', characters('Search.query')],
  ['Metadata of a file', size(constant('core/knowledge/schema.ts', 'MAX_METADATA_BYTES'))],
  [
    'Name; e-mail; `avatarUrl` of a user',
    `${member('UpdateUser.name').minLength} to ${characters('UpdateUser.name')}; ${characters('UpdateUser.email')}; ${characters('UpdateUser.avatarUrl')}`,
  ],
  ['Password', `${member('CreateUser.password').minLength} to ${characters('CreateUser.password')}`],
  ['Label of a key', characters('RequestKey.label')],
  ['Open invitations of a tenant', count(constant('core/access/invitations/service.ts', 'MAX_INVITATIONS'))],
];

const { timeoutMs, responseBytes, attempts, concurrent, resources, credentials } = CONNECTOR_LIMITS;
const connectorRows: Row[] = [
  [
    'Call of a connector',
    `${seconds(timeoutMs.default)}, at most ${seconds(timeoutMs.maximum)}`,
    '`timeoutMs` of its definition',
  ],
  [
    'Answer of an API, decompressed',
    `${size(responseBytes.default)}, at most ${size(responseBytes.maximum)}`,
    '`maxResponseBytes`',
  ],
  ['Attempts of a call', `${attempts.default}, at most ${attempts.maximum}`, '`retry.attempts`'],
  ['Calls of one environment at once', `${concurrent.default}, at most ${concurrent.maximum}`, '`maxConcurrent`'],
  ['Resources; credentials of a connector', `${count(resources)}; ${credentials}`],
];

const { tests, recipientsAnHour, waiting, bytes } = DELIVERY_LIMITS;
const deliveryRows: Row[] = [
  [
    'Gaps reported with one key, of one user or of one application',
    `${GAPS.burst} at once, then ${GAPS.perMinute} a minute`,
  ],
  [
    'Tests of alerts and digests, and invitations by e-mail, of a tenant',
    `${tests.burst} at once, then ${tests.perMinute} a minute`,
  ],
  ["Recipients of a tenant's messages in an hour; messages that wait", `${count(recipientsAnHour)}; ${count(waiting)}`],
  ["Bytes of a tenant's messages that wait", `${bytes / 1024 / 1024} MB`, 'quota `deliveries`'],
];

const rows = [...bodyRows, ...timeRows, ...pageRows, ...memberRows, ...connectorRows, ...deliveryRows];

test('docs/limits.md: the table has the numbers of the code', (t) => {
  const table = [
    '| What | Limit | Setting |',
    '| --- | --- | --- |',
    ...rows.map(([what, limit, of = '']) => `| ${what} | ${limit} | ${of} |`),
  ].join('\n');
  const text = readFileSync(PAGE, 'utf8');
  const shown = /\| What \| Limit \|[\s\S]*?(?=\n\n)/.exec(text)?.[0] ?? '';
  if (UPDATES_GOLDEN) {
    writeFileSync(
      PAGE,
      text.replace(shown, () => table),
    );
    t.diagnostic('docs/limits.md was written');
  } else assert.equal(shown, table, 'docs/limits.md shows another table; UPDATE_GOLDEN=1 writes it');
});

test('docs/limits.md: every operation with a body is in one row of the table', () => {
  for (const id of withBodies) assert.equal(BODIES.filter(([, named]) => named.test(id)).length, 1, id);
});
