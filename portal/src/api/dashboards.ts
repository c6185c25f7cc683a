import { api } from './client.ts';
import type { Schemas } from './schemas.ts';
import { useSession } from './session.ts';

export const CARDS = '/api/v1/runtime/observability/dashboard-cards';
export const TABS = '/api/v1/runtime/observability/dashboard-tabs';

export const CHANGES = '/api/v1/runtime/observability/dashboard-changes';

/** Agents change cards and tabs while the page is open. */
const REFRESH_MS = 60_000;

/** `agentId` undefined: the cards of all agents. */
export function cardsQuery(agentId: string | undefined) {
  return api.queryOptions('get', CARDS, { params: { query: { agentId } } }, { refetchInterval: REFRESH_MS });
}

export function tabsQuery(agentId: string | undefined) {
  return api.queryOptions('get', TABS, { params: { query: { agentId } } }, { refetchInterval: REFRESH_MS });
}

interface ChangesAsked {
  agentId: string | undefined;
  /** `current`: only those after which nobody changed the card or tab. */
  state?: Schemas['DashboardChange']['state'];
  limit: number;
}

/** The changes that agents made to cards and tabs, newest first. */
export function changesQuery(query: ChangesAsked) {
  return api.queryOptions('get', CHANGES, { params: { query } }, { refetchInterval: REFRESH_MS });
}

/** All cards; undefined until they are known. */
export function useKnownCards(isNeeded = true): Schemas['Card'][] | undefined {
  const { can } = useSession();
  const asked = { params: { query: {} } };
  return api.useQuery('get', CARDS, asked, { enabled: isNeeded && can('dashboards:read') }).data?.cards;
}

/** All dashboard tabs; undefined until they are known. */
export function useKnownTabs(): Schemas['Tab'][] | undefined {
  const { can } = useSession();
  const asked = { params: { query: {} } };
  return api.useQuery('get', TABS, asked, { enabled: can('dashboards:read') }).data?.tabs;
}
