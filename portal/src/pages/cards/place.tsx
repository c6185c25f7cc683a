import { api, type Schemas } from '../../api/client.ts';
import { TABS } from '../../api/dashboards.ts';
import { t } from '../../language/index.ts';
import { SelectField, TextField } from '../../ui/field.tsx';

/** The value of "New tab". No tab has this id: ids are UUIDs. */
export const NEW_TAB = 'new';
const MAX_AGENTS = 100;
export const DEFAULT_AGENT = 'default';

export interface Place {
  /** Empty: in no tab. */
  tabId: string;
  newTab: string;
}

/** The agents that the user may choose; the first one is the default. */
export function useAgents(): string[] {
  const { data } = api.useQuery('get', '/api/v1/portal/agents', { params: { query: { limit: MAX_AGENTS } } });
  const names = data?.agents.map(({ name }) => name) ?? [];
  return names.includes(DEFAULT_AGENT) || names.length === 0
    ? [DEFAULT_AGENT, ...names.filter((name) => name !== DEFAULT_AGENT)]
    : names;
}

/** The tabs of an agent, or of all; undefined until the server has answered. */
export function useTabs(agentId: string | undefined): Schemas['Tab'][] | undefined {
  const params = { query: { agentId } };
  return api.useQuery('get', TABS, { params }).data?.tabs;
}

/** The chosen tab, or empty if it is not among the agent's. Until these are known, the choice stands. */
export function existingTab({ tabId }: Place, tabs: Schemas['Tab'][] | undefined): string {
  return tabId === NEW_TAB || tabs === undefined || tabs.some(({ id }) => id === tabId) ? tabId : '';
}

/** The chosen tab, as long as its name is not known. */
function unnamed(tabId: string): { id: string; name: string }[] {
  return tabId === '' || tabId === NEW_TAB ? [] : [{ id: tabId, name: t('Loading …') }];
}

interface PlaceFieldsProps {
  place: Place;
  agentId: string;
  /** Null for a saved card, whose agent cannot change. */
  onAgent: ((agentId: string) => void) | null;
  error: string | undefined;
  onChange(place: Place): void;
}

/** The agent and the tab of the card. */
export function PlaceFields({ place, agentId, onAgent, error, onChange }: PlaceFieldsProps) {
  const agents = useAgents();
  const tabs = useTabs(agentId);
  const known = agents.includes(agentId) ? agents : [agentId, ...agents];
  return (
    <>
      {onAgent && (
        <SelectField
          label={t('Agent of the card')}
          help={t('The card is about this agent’s events.')}
          value={agentId}
          options={known.map((name) => ({ value: name, label: name }))}
          onChoose={onAgent}
        />
      )}
      <SelectField
        label={t('Tab')}
        value={existingTab(place, tabs)}
        options={[
          { value: '', label: t('In no tab') },
          ...(tabs ?? unnamed(place.tabId)).map(({ id, name }) => ({ value: id, label: name })),
          { value: NEW_TAB, label: t('A new tab …') },
        ]}
        error={error}
        onChoose={(tabId) => onChange({ ...place, tabId })}
      />
      {place.tabId === NEW_TAB && (
        <TextField
          label={t('Name of the new tab')}
          value={place.newTab}
          maxLength={100}
          onChange={(event) => onChange({ ...place, newTab: event.currentTarget.value })}
        />
      )}
    </>
  );
}
