import { LOCALE, t } from '../../../language/index.ts';
import { Actions, Badge, Item } from '../../../ui/item-list.tsx';
import { type ProviderChange, VENDOR_LABELS, type VendorState } from './providers.ts';

/** A vendor: where its key comes from, and what to do without one. */
export function VendorItem({ vendor, onChange }: { vendor: VendorState; onChange(change: ProviderChange): void }) {
  const { provider, key, problem, testModel } = vendor;
  const label = VENDOR_LABELS[provider];
  const reason = key === 'environment' || provider === 'bedrock' ? undefined : t('The environment has no key to test.');
  const change = (to: ProviderChange) => () => onChange(to);
  const ofVendor = { name: null, vendor: provider };
  const models = {
    label: t('Models'),
    name: t('Models of {name}', { name: label }),
    onClick: change({ kind: 'models', ...ofVendor }),
  };
  const onTest = change({ kind: 'test', ...ofVendor, testModel });
  const test = { label: t('Test'), name: t('Test {name}', { name: label }), reason, onClick: onTest };
  const onAdd = change({ kind: 'add', vendor: provider });
  const add = {
    label: t('Add'),
    name: t('Add provider of {vendor}', { vendor: label }),
    icon: 'add' as const,
    onClick: onAdd,
  };
  return (
    <Item
      title={label}
      beside={
        <>
          <code className="small">{provider}</code>
          <VendorBadge vendor={vendor} />
        </>
      }
      end={<Actions actions={provider === 'custom' ? [add] : [models, test, add]} />}
    >
      {problem !== null && <p className="small bad-text">{t('The key cannot be used: {problem}.', { problem })}</p>}
      <p className="small muted">{adviceOf(vendor)}</p>
    </Item>
  );
}

function VendorBadge({ vendor }: { vendor: VendorState }) {
  const { provider, key, variable, problem, providerNames } = vendor;
  if (problem !== null) return <Badge tone="bad">{t('Unusable key')}</Badge>;
  if (key === 'environment') return <Badge tone="good">{t('Key from {variable}', { variable: variable ?? '' })}</Badge>;
  if (key === 'stored') return <Badge tone="good">{t('Key in your providers')}</Badge>;
  if (provider === 'custom' && providerNames.length > 0) return <Badge>{t('Without a key')}</Badge>;
  return <Badge tone="muted">{t('No key')}</Badge>;
}

function adviceOf({ provider, key, variables, providerNames }: VendorState): string {
  const own = providerNames.length > 0 ? t('Your providers: {names}.', { names: providerNames.join(', ') }) : '';
  if (provider === 'custom') {
    return own || t('Ollama, vLLM, a gateway: any server with OpenAI’s Chat Completions. Add it with its base URL.');
  }
  if (key === 'environment') return `${t('Every tenant of this server may use it.')} ${own}`.trim();
  if (key === 'stored') return own;
  const choices = provider === 'bedrock' ? [variables[0]!, t('credentials of AWS')] : variables;
  const needed = new Intl.ListFormat(LOCALE, { type: 'disjunction' }).format(choices);
  const advice = t('Add a provider with a key, or have the operator set {variables} for the server.', {
    variables: needed,
  });
  return `${advice} ${own}`.trim();
}
