import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPublicAddress } from '../../src/outbound/addresses.ts';

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '168.63.129.15',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '2001:4860:4860::8888',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::8.8.8.8',
  '64:ff9b::808:808',
];

const NOT_PUBLIC: Record<string, string[]> = {
  unspecified: ['0.0.0.0', '0.1.2.3', '::', '0:0:0:0:0:0:0:0'],
  loopback: ['127.0.0.1', '127.0.0.2', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'link-local, with the metadata of clouds': ['169.254.0.1', '169.254.169.254', '169.254.170.2', 'fe80::1', 'febf::1'],
  'metadata elsewhere': ['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '192.0.0.192', '168.63.129.16'],
  'shared by carriers': ['100.64.0.0', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.250', 'ff02::1', 'ff0e::1'],
  broadcast: ['255.255.255.255'],
  reserved: ['240.0.0.1', '192.0.0.1', '192.88.99.1', '4000::1', 'e000::1', '5f00::1', '100::1', '2001:1::1'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  'unique local': ['fc00::1', 'fdff:ffff::1'],
  'site-local of old': ['fec0::1'],
  'IPv4 mapped into IPv6': [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:169.254.169.254',
    '::ffff:10.0.0.1',
    '::FFFF:0:0',
  ],
  'IPv4-compatible': ['::127.0.0.1', '::10.0.0.1', '::8.8.8.8'],
  'IPv4-translated': ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  'behind NAT64': ['64:ff9b::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::169.254.169.254', '64:ff9b::10.0.0.1'],
  'behind NAT64 of a local network': ['64:ff9b:1::8.8.8.8', '64:ff9b:1:ffff::1'],
  '6to4': ['2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:808:808::1'],
  Teredo: ['2001:0:7f00:1::', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  'with a zone': ['fe80::1%eth0', '::1%lo', '2606:4700:4700::1111%eth0'],
  'no full address': [
    '',
    ' ',
    '127.1',
    '1.1',
    '2130706433',
    '134744072',
    '0x7f000001',
    '0x08080808',
    '010.8.8.8',
    '8.8.8',
  ],
  'no address at all': [
    'localhost',
    'example.com',
    '8.8.8.8:80',
    '[::1]',
    '[2606:4700:4700::1111]',
    '8.8.8.8/32',
    ' 8.8.8.8',
  ],
};

test('isPublicAddress: public addresses up to the borders of reserved networks', () => {
  assert.deepEqual(
    PUBLIC.filter((address) => !isPublicAddress(address)),
    [],
  );
});

for (const [kind, addresses] of Object.entries(NOT_PUBLIC)) {
  test(`isPublicAddress: not public: ${kind}`, () => {
    assert.deepEqual(addresses.filter(isPublicAddress), []);
  });
}
