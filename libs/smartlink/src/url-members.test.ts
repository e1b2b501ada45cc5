import { expect, test } from 'vitest';
import { z } from 'zod';
import { URL_MEMBERS, findUrls } from './model.js';
import { documentSchemas } from './type-schemas.js';

test('the members that hold a URL are those that the schemas say are one, and no member is a URL in one type only', () => {
  const urls = new Set<string>();
  const others = new Set<string>();
  const walk = (schema: unknown, name: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const node = schema as Record<string, unknown>;
    if (node['type'] === 'string') (node['format'] === 'uri' ? urls : others).add(name);
    for (const [key, value] of Object.entries(node)) {
      if (key === 'properties') {
        for (const [member, part] of Object.entries(value as object)) walk(part, member);
      } else if (key === 'anyOf')
        (value as unknown[]).forEach((part) => {
          walk(part, name);
        });
      else if (key === 'items') walk(value, `${name}[]`);
    }
  };
  const schemas = documentSchemas({ publicBaseUrl: 'https://sl.example.com', passwordRequired: true });
  for (const schema of Object.values(schemas)) walk(z.toJSONSchema(schema, { io: 'input' }), '');
  expect(urls).toEqual(URL_MEMBERS);
  expect([...others].filter((name) => urls.has(name))).toEqual([]);
});

test('finds the URLs of the web at every depth, with their paths', () => {
  expect(
    findUrls({
      configuration: { smartlinkName: 'https://name.example/', fallBackLink: 'https://a.example/' },
      landing: { title: 'https://title.example/', logoLink: 'https://b.example/' },
      landingButtons: [
        { title: 'Call', link: 'tel:+994' },
        { title: 'Go', link: 'http://c.example/' },
      ],
      qrMenu: { categories: [{ items: [{ imageLink: 'https://d.example/' }] }] },
    }),
  ).toEqual([
    { path: 'configuration.fallBackLink', url: 'https://a.example/' },
    { path: 'landing.logoLink', url: 'https://b.example/' },
    { path: 'landingButtons.1.link', url: 'http://c.example/' },
    { path: 'qrMenu.categories.0.items.0.imageLink', url: 'https://d.example/' },
  ]);
});
