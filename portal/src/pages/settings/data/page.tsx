import { api } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { Facts } from '../../../ui/facts.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
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
        <section className="panel padded stack" aria-labelledby="retention">
          <h2 id="retention">Retention and time zone</h2>
          <Retention />
        </section>
        <section className="panel padded stack" aria-labelledby="stored">
          <h2 id="stored">This workspace stores</h2>
          <Stored />
        </section>
        <section className="panel padded stack" aria-labelledby="sizes">
          <h2 id="sizes">Sizes on disk</h2>
          <Sizes />
        </section>
        <section className="panel padded stack" aria-labelledby="backup">
          <h2 id="backup">Backup</h2>
          <Backup />
        </section>
        <section className="panel padded stack" aria-labelledby="erase">
          <h2 id="erase">Erase</h2>
          <Erase />
        </section>
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
      facts={[
        ['Events', numberOf(data.events)],
        ['Documents', sizeOf(data.documentBytes)],
        ['Messages', `${sizeOf(data.deliveryBytes)} of alerts and digests`],
      ]}
    />
  );
}
