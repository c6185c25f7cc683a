import { useQueries, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from './client.ts';

const MAX_NAMES = 1_000;
const MAX_VALUES = 100;
/** With more agents, the user has to choose one. */
const MAX_AGENTS = 10;

export type KnownEvent = Schemas['DiscoveredEvent'];
export type KnownProperty = Schemas['DiscoveredProperty'];
export interface KnownValue {
  value?: unknown;
  count: number;
}

function eventsQuery(agent: string | undefined) {
  const query = { limit: MAX_NAMES, ...(agent === undefined ? {} : { agentId: agent }) };
  return api.queryOptions('get', '/api/v1/portal/event-names', { params: { query } });
}

/** The events of an agent, or of all agents, the most recently seen first. */
export function useFoundEvents(agent: string | undefined) {
  return useQuery(eventsQuery(agent));
}

/** Like `useFoundEvents`; none until they are known. */
export function useKnownEvents(agent: string | undefined): KnownEvent[] {
  return useFoundEvents(agent).data?.eventNames ?? [];
}

/** True once it is known that the agent, or every agent, has no events. */
export function useHasNoEvents(agent: string | undefined): boolean {
  return useFoundEvents(agent).data?.eventNames.length === 0;
}

/** The first agent with this event, or else with any event, or else the first agent. */
export function useAgentOfEvent(agents: readonly string[], eventName: string): string {
  const asked = agents.slice(0, MAX_AGENTS);
  const names = useQueries({
    queries: asked.map((agent) => eventsQuery(agent)),
    combine: (results) => results.map(({ data }) => data?.eventNames.map((event) => event.eventName) ?? []),
  });
  const ofEvent = asked.find((_, index) => names[index]!.includes(eventName));
  return ofEvent ?? asked.find((_, index) => names[index]!.length > 0) ?? agents[0]!;
}

/** The properties of an event with a known name. */
export function useProperties(eventName: string, agent: string | undefined): KnownProperty[] {
  const isKnown = useKnownEvents(agent).some((event) => event.eventName === eventName);
  const query = { eventName, ...(agent === undefined ? {} : { agentId: agent }) };
  const found = api.useQuery('get', '/api/v1/portal/event-properties', { params: { query } }, { enabled: isKnown });
  return (isKnown && found.data?.properties) || [];
}

/** The frequent values of a known property. */
export function useValues(eventName: string, propertyKey: string, agent: string | undefined): KnownValue[] {
  const isKnown = useProperties(eventName, agent).some(({ key }) => key === propertyKey);
  const query = { eventName, propertyKey, limit: MAX_VALUES, ...(agent === undefined ? {} : { agentId: agent }) };
  const found = api.useQuery('get', '/api/v1/portal/property-values', { params: { query } }, { enabled: isKnown });
  return (isKnown && found.data?.values) || [];
}
