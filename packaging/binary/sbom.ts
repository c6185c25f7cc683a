import { PROGRAM } from '../../src/core/base/shared/program.ts';
import type { Package } from '../licences/packages.ts';

/** The parts of a wrapping as CycloneDX 1.6 JSON. `compiledIn` are those that npm does not know. */
export function sbom(packages: readonly Package[], compiledIn: readonly Package[]): string {
  const components = [
    ...packages.map((one) => component(one, `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`)),
    ...compiledIn.map((one) => component(one, `pkg:generic/${one.name}@${one.version}`)),
  ];
  const { name, version } = PROGRAM;
  const application = { type: 'application', 'bom-ref': name, name, version, purl: `pkg:npm/${name}@${version}` };
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: application },
    components,
    dependencies: [{ ref: name, dependsOn: components.map((one) => one['bom-ref']) }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function component({ name, version, license }: Package, purl: string) {
  const licences = license === 'NOASSERTION' ? {} : { licenses: [licence(license)] };
  return { type: 'library', 'bom-ref': purl, name, version, purl, ...licences };
}

function licence(spdx: string) {
  return / (OR|AND) /.test(spdx) ? { expression: spdx } : { license: { id: spdx } };
}
