import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { pageNumber } from '../../../feed/state.ts';
import { useAgent } from '../../../shell/remembered.ts';
import { Button } from '../../../ui/button.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { NameFilter } from './name-filter.tsx';
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
