import { getRouteApi } from '@tanstack/react-router';
import { t } from '../../language/index.ts';
import { forReaders } from '../../shell/readers-page.tsx';
import { ReviewsPage } from './list/page.tsx';
import { QueuePage } from './work/page.tsx';

const route = getRouteApi('/shell/reviews');

/** A queue that the address names, else the queues and all reviews. */
export const Reviews = forReaders(t('Reviews'), 'reviews', 'reviews:read', () => {
  const { queue } = route.useSearch();
  return queue === undefined ? <ReviewsPage /> : <QueuePage key={queue} name={queue} />;
});
