import { api } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { Facts } from '../../../ui/facts.tsx';
import { PageHead, Section } from '../../../ui/page-head.tsx';
import { QueryState, Together } from '../../../ui/states.tsx';
import { useAdministratorReason } from '../operator.ts';
import { Backup } from './backup.tsx';
import { Erase } from './erase.tsx';
import { Retention, useSettings } from './retention.tsx';
import { Sizes, useSizes } from './sizes.tsx';
import { DATA, numberOf, sizeOf } from './words.ts';

/** The page of what is stored: for how long, how much, a copy of it, and its end. */
export function DataSettings() {
  return (
    <div className="stack narrow">
      <PageHead title="Data" />
      <Together queries={[useSettings(), useStored(), useSizes()]} what="what is stored">
        <Section id="retention" title="Retention and time zone">
          <Retention />
        </Section>
        <Section id="stored" title="This workspace stores">
          <Stored />
        </Section>
        <Section id="sizes" title="Sizes on disk">
          <Sizes />
        </Section>
        <Section id="backup" title="Backup">
          <Backup />
        </Section>
        <Section id="erase" title="Erase">
          <Erase />
        </Section>
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
  if (!data) return <QueryState query={query} what="what is stored" height={90} />;
  return (
    <Facts
      label="This workspace stores"
      facts={{
        Events: numberOf(data.events),
        Documents: sizeOf(data.documentBytes),
        Messages: `${sizeOf(data.deliveryBytes)} of alerts and digests`,
      }}
    />
  );
}
