import { Link } from '@tanstack/react-router';
import { useKnownCards, useKnownTabs } from '../../api/dashboards.ts';
import type { Digest } from './digests.ts';

const GONE = 'one that is not there any more';

/** The contents of a digest: a dashboard tab, or cards. */
export function Contents({ digest: { tabId, cardIds = [] }, isLinked }: { digest: Digest; isLinked: boolean }) {
  const tabs = useKnownTabs();
  const tab = tabs?.find(({ id }) => id === tabId);
  const cards = useKnownCards(tabId === undefined);
  if (tabId !== undefined) {
    const name = tab?.name ?? (tabs ? GONE : '…');
    if (!isLinked || !tab) return <>Dashboard tab: {name}</>;
    return (
      <>
        Dashboard tab:{' '}
        <Link to="/" search={{ tab: tabId }}>
          {name}
        </Link>
      </>
    );
  }
  const titles = cardIds.map((id) => cards?.find((card) => card.id === id)?.title ?? (cards ? GONE : '…'));
  if (!isLinked)
    return <>{titles.length === 1 ? `Card: ${titles[0]}` : `${titles.length} cards: ${titles.join(', ')}`}</>;
  return (
    <ul>
      {cardIds.map((id, index) => (
        <li key={id}>
          <Link to="/cards/$id" params={{ id }}>
            {titles[index]}
          </Link>
        </li>
      ))}
    </ul>
  );
}
