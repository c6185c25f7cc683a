import { getRouteApi } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { api } from '../../../api/client.ts';
import { useAgent } from '../../../shell/agent.ts';
import { Button } from '../../../ui/button.tsx';
import { Combobox } from '../../../ui/combobox.tsx';

const route = getRouteApi('/shell/events');
const MAX_NAMES = 1_000;

/** Applies when a name is chosen, with Enter, and when it is emptied. */
export function NameFilter({ name = '' }: { name: string | undefined }) {
  const agentId = useAgent();
  const navigate = route.useNavigate();
  const [text, setText] = useState(name);
  const query = { agentId, limit: MAX_NAMES };
  const { data } = api.useQuery('get', '/api/v1/portal/event-names', { params: { query } });

  const apply = (chosen: string) => {
    if (chosen !== name) void navigate({ search: { name: chosen === '' ? undefined : chosen } });
  };
  const change = (typed: string) => {
    setText(typed);
    if (typed === '') apply('');
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    apply(text.trim());
  };
  return (
    <form className="name-filter" onSubmit={submit}>
      <Combobox
        label="Event name"
        value={text}
        placeholder="All"
        suggestions={(data?.eventNames ?? []).map(({ eventName, count }) => ({
          value: eventName,
          aside: count.toLocaleString(),
        }))}
        help={
          <>
            Events of the runtime itself, such as <code>runtime.chat_completed</code>, are shown when you name them.
          </>
        }
        onChange={change}
        onPick={apply}
      />
      <Button type="submit">Show</Button>
    </form>
  );
}
