import { Link } from '@tanstack/react-router';
import { useKnownCards, useKnownTabs } from '../../api/dashboards.ts';
import { t } from '../../language/index.ts';
import type { Digest } from './digests.ts';

const GONE = {
  tab: t('one that is not there any more|a tab'),
  card: t('one that is not there any more|a card'),
};

/** The contents of a digest: a dashboard tab, or cards. */
export function Contents({ digest: { tabId, cardIds = [] }, isLinked }: { digest: Digest; isLinked: boolean }) {
  const tabs = useKnownTabs();
  const tab = tabs?.find(({ id }) => id === tabId);
  const cards = useKnownCards(tabId === undefined);
  if (tabId !== undefined) {
    const name = tab?.name ?? (tabs ? GONE.tab : '…');
    if (!isLinked || !tab) return t('Dashboard tab: {name}', { name });
    const link = (
      <Link to="/" search={{ tab: tabId }}>
        {name}
      </Link>
    );
    return t.nodes('Dashboard tab: {name}', { name: link });
  }
  const titles = cardIds.map((id) => cards?.find((card) => card.id === id)?.title ?? (cards ? GONE.card : '…'));
  if (!isLinked) {
    const [title = ''] = titles;
    if (titles.length === 1) return t('Card: {title}', { title });
    return t('{count} cards: {titles}', { count: titles.length, titles: titles.join(', ') });
  }
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
