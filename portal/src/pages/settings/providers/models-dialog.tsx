import { LOCALE, t } from '../../../language/index.ts';
import { DOLLARS } from '../../../transcript/figures.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Table } from '../../../ui/table.tsx';
import { VENDOR_LABELS } from './providers.ts';
import { type ModelPlace, useModels } from './use-models.ts';

export function ModelsDialog({ onClose, ...place }: ModelPlace & { onClose(): void }) {
  const query = useModels(place);
  const { models } = query.data ?? {};
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('Models of {name}', { name: place.name ?? VENDOR_LABELS[place.vendor] })}
      description={t('As the public price table knows them. The key may not allow all, and there may be newer ones.')}
    >
      <QueryState query={query} height={320} />
      {models?.length === 0 && <p className="notice">{t('No model is known at this address. A request names any.')}</p>}
      {models && models.length > 0 && (
        <Table label={t('Models and prices')} columns={[t('Model'), t('Input'), t('Output'), t('Context')]}>
          {models.map(({ id, inputPerMillion, outputPerMillion, contextTokens }) => (
            <tr key={id}>
              <th scope="row">{id}</th>
              <td>{dollars(inputPerMillion)}</td>
              <td>{dollars(outputPerMillion)}</td>
              <td>{contextTokens === null ? '' : contextTokens.toLocaleString(LOCALE, { notation: 'compact' })}</td>
            </tr>
          ))}
        </Table>
      )}
      <p className="field-help">{t('Prices in US dollars for a million tokens; context in tokens.')}</p>
    </Dialog>
  );
}

const PRICE = new Intl.NumberFormat(LOCALE, {
  ...DOLLARS,
  minimumFractionDigits: 0,
  maximumFractionDigits: 9,
});

export function dollars(price: number | null): string {
  return price === null ? t('unknown') : PRICE.format(price);
}
