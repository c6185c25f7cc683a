import { api } from '../../../api/client.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Table } from '../../../ui/table.tsx';
import { PROVIDERS, VENDOR_LABELS, type Vendor } from './providers.ts';

interface ModelPlace {
  /** Without one, the vendor at its own address. */
  name: string | null;
  vendor: Vendor;
}

/** Models that the public price table knows there, with their prices. */
export function useModels({ name, vendor }: ModelPlace) {
  const query = { limit: 200 };
  const ofProvider = { params: { path: { name: name ?? '' }, query } };
  const ofVendor = { params: { path: { vendor: vendor as Exclude<Vendor, 'custom'> }, query } };
  const own = api.useQuery('get', `${PROVIDERS}/{name}/models`, ofProvider, { enabled: name !== null });
  const common = api.useQuery('get', `${PROVIDERS}/vendors/{vendor}/models`, ofVendor, { enabled: name === null });
  return name === null ? common : own;
}

export function ModelsDialog({ onClose, ...place }: ModelPlace & { onClose(): void }) {
  const query = useModels(place);
  const { models } = query.data ?? {};
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Models of ${place.name ?? VENDOR_LABELS[place.vendor]}`}
      description="As the public price table knows them. The key may not allow all, and there may be newer ones."
    >
      <QueryState query={query} height={320} />
      {models?.length === 0 && <p className="notice">No model is known at this address. A request names any.</p>}
      {models && models.length > 0 && (
        <Table label="Models and prices" columns={['Model', 'Input', 'Output', 'Context']}>
          {models.map(({ id, inputPerMillion, outputPerMillion, contextTokens }) => (
            <tr key={id}>
              <th scope="row">{id}</th>
              <td>{dollars(inputPerMillion)}</td>
              <td>{dollars(outputPerMillion)}</td>
              <td>{contextTokens === null ? '' : contextTokens.toLocaleString('en', { notation: 'compact' })}</td>
            </tr>
          ))}
        </Table>
      )}
      <p className="field-help">Prices in US dollars for a million tokens; context in tokens.</p>
    </Dialog>
  );
}

function dollars(price: number | null): string {
  return price === null ? 'unknown' : `$${price}`;
}
