import { z } from 'zod';
import { auditEntrySchema } from '../../core/audit/log.ts';
import {
  agentSchema,
  apiKeySchema,
  issuedKeySchema,
  loggedInSchema,
  requestKeySchema,
  sessionSchema,
  sessionUserSchema,
  settingsSchema,
  shownSessionSchema,
} from '../../core/auth/schema.ts';
import { chatMessageSchema, contentPartSchema } from '../../core/chat/message.ts';
import { chatRequestSchema } from '../../core/chat/schema.ts';
import {
  executeConnectorSchema,
  executedSchema,
  failedCallSchema,
  metadataSchema,
} from '../../core/connectors/call/execute-schema.ts';
import {
  putCredentialSchema,
  setOutcomeSchema,
  shownCredentialSchema,
} from '../../core/connectors/credentials/schema.ts';
import {
  appliedConnectorSchema,
  connectorSchema,
  connectorSummarySchema,
  putConnectorSchema,
} from '../../core/connectors/definition/shown.ts';
import { renderedCardSchema } from '../../core/dashboards/render.ts';
import {
  configSchemas,
  dashboardCardSchema,
  dashboardTabSchema,
  updateCardSchema,
  updateTabSchema,
  upsertCardSchema,
  upsertTabSchema,
} from '../../core/dashboards/schema.ts';
import { aggregateAnswerSchema, basisSchema, funnelBasisSchema } from '../../core/events/questions/answer-schema.ts';
import { discoveredEventSchema, discoveredPropertySchema } from '../../core/events/questions/workspace-schema.ts';
import {
  aggregateEventsSchema,
  columnSchema,
  eventsQuerySchema,
  filterSchema,
  ingestEventSchema,
  ingestResultSchema,
  metricSchema,
  tableSchema,
  trackedEventSchema,
} from '../../core/events/schema.ts';
import { chatFactsSchema, executionSchema, recordExecutionSchema } from '../../core/executions/schema.ts';
import {
  documentSchema,
  jobSchema,
  searchResultSchema,
  searchSchema,
  storeSchema,
} from '../../core/knowledge/schema.ts';
import { quotaUsageSchema, usageSchema } from '../../core/quotas/schema.ts';
import { createReviewSchema, reviewSchema, updateReviewSchema } from '../../core/reviews/schema.ts';
import { createUserSchema, updateUserSchema, userSchema } from '../../core/users/schema.ts';
import { errorBodySchema } from '../errors.ts';

export type Json = Record<string, unknown>;

/** What is sent and what is answered differ: a default may be left out of the one and is always in the other. */
type Direction = 'input' | 'output';

/** What answers are made of, by the names that the API document and its clients have for it. */
const ANSWERED: Record<string, z.ZodType> = {
  Error: errorBodySchema,
  Event: trackedEventSchema,
  IngestResult: ingestResultSchema,
  Table: tableSchema,
  Column: columnSchema,
  Execution: executionSchema,
  ChatFacts: chatFactsSchema,
  ChatMessage: chatMessageSchema,
  ContentPart: contentPartSchema,
  Review: reviewSchema,
  IngestionJob: jobSchema,
  VectorStore: storeSchema,
  Document: documentSchema,
  SearchResult: searchResultSchema,
  ExecutedCall: executedSchema,
  FailedCall: failedCallSchema,
  CallMetadata: metadataSchema,
  Card: dashboardCardSchema,
  RenderedCard: renderedCardSchema,
  Tab: dashboardTabSchema,
  Basis: basisSchema,
  FunnelBasis: funnelBasisSchema,
  AggregateAnswer: aggregateAnswerSchema,
  User: userSchema,
  ApiKey: apiKeySchema,
  IssuedKey: issuedKeySchema,
  LoggedIn: loggedInSchema,
  Session: sessionSchema,
  UserSession: shownSessionSchema,
  SessionUser: sessionUserSchema,
  Agent: agentSchema,
  Settings: settingsSchema,
  AuditEntry: auditEntrySchema,
  Usage: usageSchema,
  QuotaUsage: quotaUsageSchema,
  ConnectorSummary: connectorSummarySchema,
  Connector: connectorSchema,
  AppliedConnector: appliedConnectorSchema,
  Credential: shownCredentialSchema,
  SetCredential: setOutcomeSchema,
  DiscoveredEvent: discoveredEventSchema,
  DiscoveredProperty: discoveredPropertySchema,
};

/** The same for what is sent. A name that is in both means the same in both. */
const SENT: Record<string, z.ZodType> = {
  IngestEvent: ingestEventSchema,
  EventsQuery: eventsQuerySchema,
  EventFilter: filterSchema,
  EventMetric: metricSchema,
  AggregateEvents: aggregateEventsSchema,
  ChatRequest: chatRequestSchema,
  ChatMessage: chatMessageSchema,
  ContentPart: contentPartSchema,
  RecordExecution: recordExecutionSchema,
  CreateReview: createReviewSchema,
  UpdateReview: updateReviewSchema,
  ExecuteConnector: executeConnectorSchema,
  Search: searchSchema,
  UpsertCard: upsertCardSchema,
  UpdateCard: updateCardSchema,
  UpsertTab: upsertTabSchema,
  UpdateTab: updateTabSchema,
  CreateUser: createUserSchema,
  UpdateUser: updateUserSchema,
  RequestKey: requestKeySchema,
  PutConnector: putConnectorSchema,
  PutCredential: putCredentialSchema,
  NumberConfig: configSchemas.number,
  RateConfig: configSchemas.rate,
  ChartConfig: configSchemas.line,
  PieConfig: configSchemas.pie,
  TableConfig: configSchemas.table,
  FunnelConfig: configSchemas.funnel,
  GaugeConfig: configSchemas.gauge,
};

const NAMES: Record<Direction, ReadonlyMap<unknown, string>> = {
  input: new Map(Object.entries(SENT).map(([name, schema]) => [schema, name])),
  output: new Map(Object.entries(ANSWERED).map(([name, schema]) => [schema, name])),
};

/** JSON Schema of what a route takes or answers; what has a name of its own is referred to. */
export function jsonSchema(schema: z.ZodType, io: Direction): Json {
  const name = NAMES[io].get(schema);
  return name === undefined ? writtenOut(schema, io) : { $ref: `#/components/schemas/${name}` };
}

/** Those named schemas that are referred to, directly or by one another. */
export function referredSchemas(from: unknown): Record<string, Json> {
  const found: Record<string, Json> = {};
  const look = (within: unknown): void => {
    for (const [, name] of JSON.stringify(within).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found[name!] !== undefined) continue;
      found[name!] = ANSWERED[name!] ? writtenOut(ANSWERED[name!]!, 'output') : writtenOut(SENT[name!]!, 'input');
      look(found[name!]);
    }
  };
  look(from);
  return Object.fromEntries(Object.entries(found).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function writtenOut(schema: z.ZodType, io: Direction): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: written }) => {
      const name = (zodSchema as unknown) === schema ? undefined : NAMES[io].get(zodSchema);
      if (name !== undefined) written.$ref = `#/components/schemas/${name}`;
      if (!written.$ref?.startsWith('#/components/')) return;
      // A described copy of a named schema has its name as well, and what it says of its own.
      const said = name === undefined ? ['$ref', 'description'] : ['$ref'];
      for (const member of Object.keys(written)) if (!said.includes(member)) delete (written as Json)[member];
    },
  });
  return json;
}
