import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { RenderedCard } from '../../../../src/charts/answer.ts';
import { answerOf, api, client, type Schemas } from '../../api/client.ts';
import { CARDS, TABS } from '../../api/dashboards.ts';
import { roleLabel } from '../../api/roles.ts';
import { invalidate, useSession } from '../../api/session.ts';
import { Chart } from '../../card/chart.tsx';
import { t } from '../../language/index.ts';
import { Button } from '../../ui/button.tsx';
import { useTask } from '../../ui/refusal.tsx';
import { ErrorNotice, QueryState } from '../../ui/states.tsx';
import { announce } from '../../ui/toast.tsx';
import { NothingToSuggest } from './nothing-to-suggest.tsx';
import { FIRST_HOUR, type Progress } from './progress.ts';

type SuggestedCard = NonNullable<Progress['suggestions']>['cards'][number];

/** The tab into which the first cards go. */
const TAB = t('Overview');

export function CardStep({ suggestions, isDone }: { suggestions: Progress['suggestions']; isDone: boolean }) {
  // Once a card is saved there are no suggestions any more: those that are shown stay.
  const [shown, setShown] = useState(suggestions);
  if (suggestions && !shown) setShown(suggestions);
  const cards = (suggestions ?? shown)?.cards;
  if (!cards) return <NothingToSuggest isDone={isDone} things="cards" />;
  return (
    <div className="stack">
      <p>
        {t('A card is a question that stays on a dashboard. One press saves it into the tab “{tab}”.', { tab: TAB })}
      </p>
      <ul className="suggested-cards">
        {cards.map((card) => (
          <CardChoice key={card.title} card={card} />
        ))}
      </ul>
    </div>
  );
}

function CardChoice({ card }: { card: SuggestedCard }) {
  const { can, user } = useSession();
  const id = useId();
  const [isSaved, setSaved] = useState(false);
  const { error, isBusy, run } = useTask();
  const reason = can('dashboards:write')
    ? undefined
    : t('Your role, {role}, may not save cards. Ask an administrator.', { role: roleLabel(user.role) });
  const preview = useQuery(
    api.queryOptions(
      'post',
      '/api/v1/runtime/observability/dashboard-cards/preview',
      { body: card as Schemas['PreviewCard'] },
      { enabled: can('events:read') },
    ),
  );
  const save = () =>
    run(async () => {
      const { id: tabId } = await answerOf(client.POST(TABS, { body: { name: TAB, agentId: card.agentId } }));
      // With a key of its own it replaces no other card that asks the same.
      const body = { ...card, tabId, idempotencyKey: `first-hour ${card.title}`.slice(0, 200) };
      await answerOf(client.POST(CARDS, { body: body as Schemas['UpsertCard'] }));
      setSaved(true);
      announce(t('Saved: {title}', card));
      await invalidate((path) => [CARDS, TABS, FIRST_HOUR].includes(path));
    });
  return (
    <li className="panel suggested-card" aria-labelledby={id}>
      <h4 id={id}>{card.title}</h4>
      <div className="suggested-picture">
        {can('events:read') && <QueryState query={preview} height={160} />}
        {preview.data && <Chart rendered={preview.data as RenderedCard} />}
      </div>
      {error !== null && <ErrorNotice error={error} />}
      <Button
        look={isSaved ? 'plain' : 'primary'}
        icon={isSaved ? 'check' : 'add'}
        reason={isSaved ? t('It is saved.') : reason}
        disabled={isBusy}
        aria-label={isSaved ? t('Saved: {title}', card) : t('Save: {title}', card)}
        onClick={() => void save()}
      >
        {isSaved ? t('Saved') : t('Save')}
      </Button>
    </li>
  );
}
