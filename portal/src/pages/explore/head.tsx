import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFoundEvents } from '../../api/events.ts';
import { t } from '../../language/index.ts';
import type { DefaultQuestion } from '../../question/question-page.tsx';
import { useAgent } from '../../shell/remembered.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { ViewLink, Views } from '../../ui/views.tsx';
import { commonest, defaultQuestion, questionFor, VIEWS, type View, viewOf } from './state.ts';

/** The title and the three views of the question. */
export function ExploreHead({ children }: { children?: ReactNode }) {
  const { view, question } = useSearch({ from: '/shell/explore' });
  const shown = viewOf(view);
  return (
    <>
      <PageHead title={t('Explore')}>{children}</PageHead>
      <Views label={t('Views')}>
        {VIEWS.map(({ value, label }) => (
          <ViewLink
            key={value}
            to="/explore"
            search={{ view: value, question: questionFor(value, shown, question) }}
            aria-current={value === shown ? 'page' : undefined}
            activeOptions={{ includeSearch: true, exact: true }}
          >
            {label}
          </ViewLink>
        ))}
      </Views>
    </>
  );
}

/** On the commonest event. */
export function useDefaultQuestion(view: View): DefaultQuestion {
  const { data, error, refetch } = useFoundEvents(useAgent());
  const eventName = data && commonest(data.eventNames);
  const text = data && (eventName === undefined ? null : defaultQuestion(view, eventName));
  return { text, error, refetch };
}
