import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { sessionQuery } from '../api/session.ts';
import { t } from '../language/index.ts';
import { rememberAgent, useAgent } from './remembered.ts';

/** The list shows no more; the address can name any agent. */
const MAX_AGENTS = 100;

export function AgentSwitcher() {
  const agent = useAgent();
  const navigate = useNavigate();
  const isLoggedIn = useQuery(sessionQuery).isSuccess;
  const params = { params: { query: { limit: MAX_AGENTS } } };
  const { data } = api.useQuery('get', '/api/v1/portal/agents', params, { enabled: isLoggedIn });
  const names = data?.agents.map(({ name }) => name) ?? [];
  const shown = agent !== undefined && !names.includes(agent) ? [agent, ...names] : names;
  const choose = (value: string) => {
    const chosen = value === '' ? undefined : value;
    rememberAgent(chosen);
    void navigate({ to: '.', search: (search) => ({ ...search, agent: chosen, tab: undefined }) });
  };
  return (
    <div className="field">
      <label htmlFor="agent" className="visually-hidden">
        {t('Agent')}
      </label>
      <select id="agent" className="input" value={agent ?? ''} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">{t('All agents')}</option>
        {shown.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
