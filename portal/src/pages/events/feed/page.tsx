import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { useKnownEvents } from '../../../api/events.ts';
import { pageNumber } from '../../../feed/state.ts';
import { eventSuggestions } from '../../../question/words/choices.ts';
import { useAgent } from '../../../shell/remembered.ts';
import { Button } from '../../../ui/button.tsx';
import { Combobox } from '../../../ui/combobox.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { FeedPages } from './pages.tsx';

const route = getRouteApi('/shell/events');

export function Feed() {
  const { name, page } = route.useSearch();
  const agent = useAgent();
  const [isLive, setLive] = useState(true);
  const number = pageNumber(page);
  return (
    <>
      <PageHead title="Events">
        {number === 1 && (
          <>
            <span className="small muted">{isLive ? 'Live: asks every 3 seconds' : 'Paused'}</span>
            <Button icon={isLive ? 'pause' : 'play'} onClick={() => setLive(!isLive)}>
              {isLive ? 'Pause' : 'Go live'}
            </Button>
          </>
        )}
      </PageHead>
      <div className="stack">
        <NameFilter key={name ?? ''} name={name} />
        <FeedPages
          key={JSON.stringify([agent, name, number])}
          agent={agent}
          name={name}
          number={number}
          isLive={isLive && number === 1}
        />
      </div>
    </>
  );
}

/** Applies a chosen name, a name with Enter, and an empty name. */
export function NameFilter({ name = '' }: { name: string | undefined }) {
  const suggestions = eventSuggestions(useKnownEvents(useAgent()));
  const navigate = useNavigate();
  const [text, setText] = useState(name);

  const apply = (chosen: string) => {
    if (chosen !== name) void navigate({ to: '/events', search: chosen === '' ? {} : { name: chosen } });
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
    <form className="name-and-button name-filter" onSubmit={submit}>
      <Combobox
        label="Event name"
        value={text}
        placeholder="All"
        suggestions={suggestions}
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
