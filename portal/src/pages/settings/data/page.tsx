import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { Facts } from '../../../ui/facts.tsx';
import { PageHead, Section } from '../../../ui/page-head.tsx';
import { QueryState, Together } from '../../../ui/states.tsx';
import { firstHourQuery } from '../../first-hour/progress.ts';
import { RemoveSample } from '../../first-hour/sample-data.tsx';
import { useAdministratorReason } from '../operator.ts';
import { Backup } from './backup.tsx';
import { Erase } from './erase.tsx';
import { Retention, useSettings } from './retention.tsx';
import { Sizes } from './sizes.tsx';
import { DATA, numberOf, sizeOf } from './words.ts';

const PARTS = [
  ['retention', t('Retention and time zone'), Retention],
  ['stored', t('This workspace stores'), Stored],
  ['backup', t('Backup'), Backup],
  ['erase', t('Erase'), Erase],
  // Last: to measure them may take seconds.
  ['sizes', t('Sizes on disk'), Sizes],
] as const;

/** The page of what is stored: for how long, how much, a copy of it, and its end. */
export function DataSettings() {
  const firstHour = useQuery(firstHourQuery);
  return (
    <div className="stack narrow">
      <PageHead title={t('Data')} />
      <Together queries={[useSettings(), useStored(), firstHour]}>
        {firstHour.data?.sampleData === 'loaded' && <RemoveSample />}
        {PARTS.map(([id, title, Part]) => (
          <Section key={id} id={id} title={title}>
            <Part />
          </Section>
        ))}
      </Together>
    </div>
  );
}

function useStored() {
  const { isAdministrator } = useSession();
  return api.useQuery('get', DATA, {}, { enabled: isAdministrator });
}

function Stored() {
  const reason = useAdministratorReason('see');
  const query = useStored();
  if (reason !== undefined) return <p className="muted">{reason}</p>;
  const { data } = query;
  if (!data) return <QueryState query={query} height={90} />;
  return (
    <Facts
      label={t('This workspace stores')}
      facts={{
        [t('Events')]: numberOf(data.events),
        [t('Documents')]: sizeOf(data.documentBytes),
        [t('Messages')]: t('{size} of alerts and digests', { size: sizeOf(data.deliveryBytes) }),
      }}
    />
  );
}
