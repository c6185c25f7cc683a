import type { AgentService } from '../../auth/agents.ts';
import type { RenderedCard } from '../../dashboards/render.ts';
import type { DashboardService } from '../../dashboards/service.ts';
import type { DashboardStore } from '../../dashboards/store.ts';
import type { ReviewStore } from '../../reviews/store.ts';
import { type Caller, requireScope } from '../../shared/caller.ts';
import type { Effects } from '../../shared/effects.ts';
import { invalid, notFound } from '../../shared/errors.ts';
import { listNames } from '../../shared/names.ts';
import { parse } from '../../shared/parse.ts';
import type { DiscoveredEvent, DiscoveredProperty, Discovery } from '../discovery.ts';
import type { AggregateEvents, QueryEvents } from '../schema.ts';
import { checkTimezone } from '../time.ts';
import { type Answering, DATA_NOTICE } from './answering.ts';
import type { AggregateAnswer, QueryAnswer } from './answers.ts';
import { fittingItems, shownValue } from './fit.ts';
import { reviewedExecutions } from './reviewed.ts';
import {
  type DescribeWorkspace,
  describeWorkspaceSchema,
  MAX_VALUES,
  type PropertyValues,
  type RenderDashboardCard,
  type Workspace,
} from './schema.ts';
import { describeWorkspace } from './workspace.ts';

export interface InsightParts {
  answering: Answering;
  discovery: Discovery;
  dashboards: DashboardService;
  dashboardStore: DashboardStore;
  reviewStore: ReviewStore;
  agents: Pick<AgentService, 'listAll'>;
  effects: Effects;
}

/** Of one agent, by default the caller's. */
interface AskedEvents {
  agentId?: string | undefined;
  search?: string | undefined;
}

interface AskedProperties {
  agentId?: string | undefined;
  eventName: string;
}

interface AskedValues extends AskedProperties {
  propertyKey: string;
  limit?: number;
}

interface Options {
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal;
}

/** What agents ask through MCP. Every method needs `mcp:read`. */
export class InsightService {
  private readonly parts: InsightParts;

  constructor(parts: InsightParts) {
    this.parts = parts;
  }

  /** A number, a series over time, or a value per group. */
  async aggregateEvents(caller: Caller, input: AggregateEvents, options: Options = {}): Promise<AggregateAnswer> {
    requireScope(caller, 'mcp:read');
    const executionIds = await reviewedExecutions(this.parts.reviewStore, caller, input.review);
    return this.parts.answering.aggregate(input, { caller, waitFor: input.waitFor, executionIds, ...options });
  }

  /** A table of events or of groups, as many rows as fit. */
  async queryEvents(caller: Caller, input: QueryEvents, options: Options = {}): Promise<QueryAnswer> {
    requireScope(caller, 'mcp:read');
    return this.parts.answering.table(input, { caller, waitFor: input.waitFor, ...options });
  }

  /** What a dashboard card shows now. */
  async renderDashboardCard(
    caller: Caller,
    { cardId, waitFor }: RenderDashboardCard,
    options: Options = {},
  ): Promise<RenderedCard> {
    return this.parts.dashboards.render(caller, cardId, 'mcp:read', { waitFor, ...options });
  }

  /** Everything there is to ask about: events, their properties and values, cards and tabs. */
  async describeWorkspace(caller: Caller, input: DescribeWorkspace, options: Options = {}): Promise<Workspace> {
    requireScope(caller, 'mcp:read');
    return describeWorkspace(caller, input, this.parts, options.signal);
  }

  /** The workspace as a report begins with it: of an agent that there is, in a time zone that there is. */
  async reportedWorkspace(
    caller: Caller,
    { agentId, timezone = caller.timezone }: { agentId?: string | undefined; timezone?: string | undefined },
    options: Options = {},
  ): Promise<Workspace> {
    checkTimezone(timezone);
    const input = parse(describeWorkspaceSchema, { agentId });
    const known = (await this.parts.agents.listAll(caller.tenantId)).map((agent) => agent.name);
    if (agentId !== undefined && !known.includes(agentId)) {
      throw invalid(`agentId: there is no agent ${JSON.stringify(agentId)}; known: ${listNames(known)}`);
    }
    return { ...(await this.describeWorkspace(caller, input, options)), timezone };
  }

  /** Event names, last seen first; with `search`, those that contain it or come close. */
  async eventNames(caller: Caller, { agentId, search }: AskedEvents = {}): Promise<DiscoveredEvent[]> {
    requireScope(caller, 'mcp:read');
    return this.parts.discovery.eventNames(caller, { agentId: agentId ?? caller.agentId, search });
  }

  /** The property keys of one event and their types; none of an event that nobody has seen. */
  async eventProperties(caller: Caller, { agentId, eventName }: AskedProperties): Promise<DiscoveredProperty[]> {
    requireScope(caller, 'mcp:read');
    const asked = { agentId: agentId ?? caller.agentId, eventName, values: 0, sample: 0 };
    return this.parts.discovery.eventProperties(caller, asked);
  }

  /** The most frequent values of one property, how many different ones there are, and its type. */
  async propertyValues(
    caller: Caller,
    { agentId, eventName, propertyKey, limit = MAX_VALUES }: AskedValues,
    options: Options = {},
  ): Promise<PropertyValues> {
    const properties = await this.eventProperties(caller, { agentId, eventName });
    const property = properties.find((one) => one.key === propertyKey);
    if (!property) {
      const known = properties.length > 0 ? `It has ${listNames(properties.map((one) => one.key))}.` : 'It has none.';
      throw notFound(`${JSON.stringify(eventName)} has no property ${JSON.stringify(propertyKey)}. ${known}`);
    }
    const asked = { agentId: agentId ?? caller.agentId, eventName, propertyKey, limit };
    const { values, total } = await this.parts.discovery.propertyValues(caller, asked, options.signal);
    return { eventName, propertyKey, type: property.type, values, total };
  }

  /** As `propertyValues`, as many and as long as fit into the answer of a tool. */
  async fittingValues(caller: Caller, eventName: string, propertyKey: string, options: Options = {}) {
    const { type, values, total } = await this.propertyValues(caller, { eventName, propertyKey }, options);
    const shown = values.map(({ value, count }) => ({ value: shownValue(value), count }));
    return { eventName, key: propertyKey, type, values: fittingItems(shown), totalValues: total, note: DATA_NOTICE };
  }
}
