import { Button } from '../../../ui/button.tsx';
import { Badge, Item } from '../../../ui/item-list.tsx';
import { type ProviderChange, VENDOR_LABELS, type VendorState } from './providers.ts';

interface VendorItemProps {
  vendor: VendorState;
  onChange(change: ProviderChange): void;
}

/** A vendor: where its key comes from, and what to do without one. */
export function VendorItem({ vendor, onChange }: VendorItemProps) {
  const { provider, key, problem, testModel } = vendor;
  const label = VENDOR_LABELS[provider];
  const isTestable = key === 'environment' || provider === 'bedrock';
  const test = () => onChange({ kind: 'test', name: null, vendor: provider, testModel });
  return (
    <Item
      title={label}
      beside={
        <>
          <code className="small">{provider}</code>
          <VendorBadge vendor={vendor} />
        </>
      }
      end={
        <>
          {provider !== 'custom' && (
            <>
              <Button
                onClick={() => onChange({ kind: 'models', name: null, vendor: provider })}
                aria-label={`Models of ${label}`}
              >
                Models
              </Button>
              <Button
                onClick={test}
                aria-label={`Test ${label}`}
                reason={isTestable ? undefined : 'The environment has no key to test.'}
              >
                Test
              </Button>
            </>
          )}
          <Button
            icon="add"
            onClick={() => onChange({ kind: 'add', vendor: provider })}
            aria-label={`Add provider of ${label}`}
          >
            Add
          </Button>
        </>
      }
    >
      {problem !== null && <p className="small bad-text">The key cannot be used: {problem}.</p>}
      <p className="small muted">{adviceOf(vendor)}</p>
    </Item>
  );
}

function VendorBadge({ vendor }: { vendor: VendorState }) {
  const { provider, key, variable, problem, providerNames } = vendor;
  if (problem !== null) return <Badge tone="bad">Unusable key</Badge>;
  if (key === 'environment') return <Badge tone="good">Key from {variable}</Badge>;
  if (key === 'stored') return <Badge tone="good">Key in your providers</Badge>;
  if (provider === 'custom' && providerNames.length > 0) return <Badge>Without a key</Badge>;
  return <Badge tone="muted">No key</Badge>;
}

function adviceOf({ provider, key, variables, providerNames }: VendorState): string {
  const own = providerNames.length > 0 ? `Your providers: ${providerNames.join(', ')}.` : '';
  if (provider === 'custom') {
    return own || 'Ollama, vLLM, a gateway: any server with OpenAI’s Chat Completions. Add it with its base URL.';
  }
  if (key === 'environment') return `Every tenant of this server may use it. ${own}`.trim();
  if (key === 'stored') return own;
  const name = provider === 'bedrock' ? `${variables[0]} or credentials of AWS` : variables.join(' or ');
  return `Add a provider with a key, or have the operator set ${name} for the server. ${own}`.trim();
}
