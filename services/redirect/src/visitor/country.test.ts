import { expect, test } from 'vitest';
import { openCountries } from '@smartlink/visits/countries';
import { toClientAddress } from './client-address.js';
import { rememberCountries } from './country.js';

test('the cache of networks changes no answer', () => {
  const lookUp = openCountries(undefined);
  const findCountry = rememberCountries(lookUp);
  const find = (address: string) => findCountry(toClientAddress(address));
  for (let i = 0; i < 12_000; i += 1) {
    const address = `${11 + (i % 200)}.${(i * 7) % 256}.${i % 256}.9`;
    const neighbour = address.replace(/9$/, '200');
    find(address);
    expect([find(neighbour), neighbour]).toEqual([lookUp(neighbour)[0], neighbour]);
  }
});
