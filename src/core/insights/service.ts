import type { AuthService } from '../auth/service.ts';
import { type Caller, requireScope } from '../caller.ts';
import type { RenderedCard } from '../dashboards/render.ts';
import type { DashboardService } from '../dashboards/service.ts';
import type { DashboardStore } from '../dashboards/store.ts';
import type { Effects } from '../effects.ts';
import type { Answering } from '../events/answering.ts';
import type { AggregateAnswer, QueryAnswer } from '../events/answers.ts';
import type { DiscoveredEvent, DiscoveredProperty, Discovery } from '../events/discovery.ts';
import { fittingItems, shownValue } from '../events/fit.ts';
import type { AggregateEvents, QueryEvents } from '../events/schema.ts';
import type { DescribeWorkspace, RenderDashboardCard, Workspace } from './schema.ts';
import { describeWorkspace } from './workspace.ts';

export interface InsightParts {
  answering: Answering;
  discovery: Discovery;
  dashboards: DashboardService;
  dashboardStore: DashboardStore;
  auth: AuthService;
  effects: Effects;
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
    return this.parts.answering.aggregate(input, { caller, waitFor: input.waitFor, ...options });
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

  /** Event names that begin with or contain a text, for completing what someone types. */
  async eventNames(caller: Caller, search = ''): Promise<DiscoveredEvent[]> {
    requireScope(caller, 'mcp:read');
    return this.parts.discovery.eventNames(caller, { agentId: caller.agentId, search });
  }

  /** The property keys of one event and their types. */
  async eventProperties(caller: Caller, eventName: string): Promise<DiscoveredProperty[]> {
    requireScope(caller, 'mcp:read');
    return this.parts.discovery.eventProperties(caller, { agentId: caller.agentId, eventName, values: 0, sample: 0 });
  }

  /** The most frequent values of one property, and how many different ones there are. */
  async propertyValues(caller: Caller, eventName: string, propertyKey: string) {
    requireScope(caller, 'mcp:read');
    const asked = { agentId: caller.agentId, eventName, propertyKey, limit: MAX_VALUES };
    const { values, total } = await this.parts.discovery.propertyValues(caller, asked);
    const shown = values.map(({ value, count }) => ({ value: shownValue(value), count }));
    return { values: fittingItems(shown), total };
  }
}

const MAX_VALUES = 100;
