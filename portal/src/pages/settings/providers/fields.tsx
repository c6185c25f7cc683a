import { useSession } from '../../../api/session.ts';
import { type Bound, bind } from '../../../ui/bind.ts';
import { Check, SelectField, TextArea, TextField } from '../../../ui/field.tsx';
import { type Provider, VENDOR_LABELS, type Vendor } from './providers.ts';
import type { ProviderForm } from './state.ts';

const VENDORS = Object.entries(VENDOR_LABELS).map(([value, label]) => ({ value: value as Vendor, label }));

interface FieldsProps extends Bound<ProviderForm> {
  /** Null for a new one. */
  stored: Provider | null;
  onlyName: boolean;
}

/** The usual members of a definition. */
export function ProviderFields({ onlyName, ...props }: FieldsProps) {
  const { stored } = props;
  const field = bind(props);
  return (
    <>
      {stored === null && (
        <TextField
          label="Name"
          help="Chats name it as providerName. It cannot be changed."
          maxLength={100}
          autoFocus
          autoComplete="off"
          {...field.text('name')}
        />
      )}
      {!onlyName && (
        <>
          <ConnectionFields {...props} />
          <ChatFields {...props} />
          <NetworkField {...props} />
        </>
      )}
    </>
  );
}

type PartProps = Omit<FieldsProps, 'onlyName'>;

function ConnectionFields({ stored, ...part }: PartProps) {
  const { form } = part;
  const field = bind(part);
  const key = stored?.definition.apiKey;
  const isCustom = form.provider === 'custom';
  return (
    <>
      <SelectField label="Vendor" {...field.choice('provider')} options={VENDORS} />
      <TextField
        label="Base URL"
        type="url"
        placeholder={isCustom ? 'https://llm.example.com/v1' : ''}
        help={
          <>
            {isCustom ? 'The address of the server, usually with /v1 at its end.' : 'Empty: the vendor’s own address.'}
            {key === 'set' && ' With another one, send the key again: a stored key goes to no other address.'}
          </>
        }
        {...field.text('baseUrl')}
      />
      <TextField
        label="API key"
        type="password"
        autoComplete="new-password"
        disabled={form.removesKey}
        help={keyHelp(key, isCustom)}
        {...field.text('apiKey')}
      />
      {key !== undefined && <Check label="Remove the stored key" {...field.check('removesKey')} />}
      {form.provider === 'bedrock' && <TextField label="Region" placeholder="eu-central-1" {...field.text('region')} />}
    </>
  );
}

function keyHelp(key: Provider['definition']['apiKey'], isCustom: boolean): string {
  if (key === 'set') return 'One is stored. Leave it empty to keep it.';
  if (key !== undefined) return `It is read from the variable ${key.env}. Leave it empty to keep that.`;
  return `It is stored sealed and not shown again.${isCustom ? ' Your own server may need none.' : ''}`;
}

function ChatFields(part: PartProps) {
  const [field, ofDefaults, ofPrice] = [bind(part), bind(part, 'defaults.'), bind(part, 'price.')];
  return (
    <>
      <fieldset className="stack tight">
        <legend>Where a chat says nothing</legend>
        <div className="halves">
          <TextField label="Temperature" inputMode="decimal" placeholder="0 to 2" {...ofDefaults.text('temperature')} />
          <TextField label="Most tokens of an answer" inputMode="numeric" {...ofDefaults.text('maxTokens')} />
        </div>
        <TextArea label="Instructions" rows={2} {...ofDefaults.text('instructions')} />
      </fieldset>
      <TextArea
        label="Fallbacks"
        help="When it does not answer, in this order. A line for each: a vendor or one of your providers, and the model."
        placeholder={'openai gpt-4.1-mini\nlocal llama3.2'}
        rows={2}
        spellCheck={false}
        {...field.text('fallbacks')}
      />
      <fieldset className="stack tight">
        <legend>Price in US dollars for a million tokens</legend>
        <div className="halves">
          <TextField
            label="Input"
            inputMode="decimal"
            placeholder="public price"
            {...ofPrice.text('inputPerMillion')}
          />
          <TextField
            label="Output"
            inputMode="decimal"
            placeholder="public price"
            {...ofPrice.text('outputPerMillion')}
          />
        </div>
      </fieldset>
      <TextField
        label="Timeout"
        help="Seconds to the first words of an answer. Empty: the server’s."
        inputMode="decimal"
        {...field.text('timeout')}
      />
    </>
  );
}

function NetworkField(part: PartProps) {
  const { operates } = useSession();
  const error = part.messages.at('allowPrivateNetwork');
  return (
    <div className="field">
      <Check
        label="It may be in a private network"
        help={
          operates
            ? 'For a model on this machine or in your own network.'
            : 'Only the operator allows this: a super administrator of the only tenant, or the command line.'
        }
        disabled={!operates}
        {...bind(part).check('allowPrivateNetwork')}
      />
      {error !== undefined && <p className="field-error">{error}</p>}
    </div>
  );
}
