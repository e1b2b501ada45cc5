import { crc32 } from 'node:zlib';
import { caller, type Caller, createSmartlink, type TestService, urlSmartlink } from './start-service.js';

/** A picture of one pixel. */
export const TINY_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const uploadPicture = (api: Caller, picture: Buffer = TINY_PNG, type = 'image/png') =>
  api.call('POST', '/media', picture, { 'content-type': type });

// Behind the signature and the header (PNG, third edition, 5.2 and 11.2.1).
const HEADER_END = 33;

/** A PNG with the chunk that announces frames, acTL of APNG. */
export function animatedPng(): Buffer {
  const chunk = Buffer.from('000000086163544c000000020000000000000000', 'hex');
  return Buffer.concat([TINY_PNG.subarray(0, HEADER_END), chunk, TINY_PNG.subarray(HEADER_END)]);
}

/** A PNG of 70 bytes whose header announces 900 megapixels. */
export function decompressionBomb(): Buffer {
  const png = Buffer.from(TINY_PNG);
  png.writeUInt32BE(30_000, 16);
  png.writeUInt32BE(30_000, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

/** What brings about the failures of pictures, by the names of their examples. */
export const mediaFailures = ({ service, api }: { service: TestService; api: () => Caller }) => ({
  listMedia: { limit: () => api().get('/media?limit=101') },
  uploadMedia: {
    noPicture: () => uploadPicture(api(), Buffer.from('text')),
    animated: () => uploadPicture(api(), animatedPng()),
    pixels: () => uploadPicture(api(), decompressionBomb()),
    type: () => uploadPicture(api(), TINY_PNG, 'text/plain'),
    subscriptionLimitReached: async () => {
      const { userId, apiKey } = await service.createUser('Starter');
      await service.app.pg.query(
        `insert into media (id, user_id, sha256, hash, width, height, extension, bytes)
         values (gen_random_uuid(), $1, '', repeat('0', 32), 1, 1, 'png', 50000000)`,
        [userId],
      );
      return uploadPicture(caller(service.app, apiKey));
    },
  },
  deleteMedia: {
    mediaInUse: async () => {
      const { data } = (await uploadPicture(api())).body as { data: { id: string; url: string } };
      await createSmartlink(api(), urlSmartlink({}, {}, { openGraph: { imageUrl: data.url } }));
      return api().delete('/media', { mediaId: data.id });
    },
  },
});
