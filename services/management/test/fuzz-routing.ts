import fc from 'fast-check';

/** Rules of `routing` that no JSON Schema says. */
export const ROUTING_RULES = [
  ...['Must have exactly one of url and variants', 'Must have at least one condition', 'Unknown condition'],
  ...['Must have at least 2 elements', 'Required in all variants but one', 'Must be unique in the smartlink'],
  ...[
    'Must be a language such as de or pt-BR',
    'Must be an ISO 3166-1 alpha-2 country code',
    'Must be after from',
  ],
  ...[
    'Must be a host name or direct',
    'Must be an IANA time zone',
    'Must be an ISO 8601 time with a time zone',
  ],
  ...['Must be at most 16 KiB', 'Must be after startsAt'],
];

const between = (min: string, max: string) =>
  fc.date({ min: new Date(min), max: new Date(max), noInvalidDate: true }).map((time) => time.toISOString());

/** Times of `availability` that are in order in every document, and past or to come in every answer. */
export const AVAILABILITY_TIMES = {
  startsAt: fc.option(between('2000-01-01', '2020-01-01')),
  expiresAt: fc.option(between('2100-01-01', '2199-12-31')),
};

/** Rules with ids of their place, so that a patch leaves no two with one id. */
export const routing = fc
  .record({
    rules: fc.array(
      fc.record({
        countries: fc.subarray(['AZ', 'DE', 'XX'], { minLength: 1 }),
        languages: fc.subarray(['de', 'pt-BR'], { minLength: 1 }),
        from: fc.date({ min: new Date('2000-01-01'), max: new Date('2199-12-31'), noInvalidDate: true }),
        isSplit: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    weights: fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 2, maxLength: 4 }),
    sticky: fc.constantFrom('visitor', 'none'),
  })
  .map(({ rules, weights, sticky }) => {
    const variantsOf = (prefix: string) =>
      weights.map((weight, i) => ({
        id: `${prefix}v${i}`,
        weight,
        ...(i > 0 && { url: `https://example.org/${i}` }),
      }));
    return {
      rules: rules.map(({ isSplit, from, ...lists }, i) => ({
        id: `r${i}`,
        when: { ...lists, from: from.toISOString() },
        ...(isSplit ? { variants: variantsOf(`r${i}-`) } : { url: `https://example.org/r${i}` }),
      })),
      variants: variantsOf(''),
      sticky,
    };
  });
