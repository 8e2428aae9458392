import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { mustSucceed, scratchFolder } from "../tools.ts";

// HDF5 files that name other files, made by h5py 3.15 with four epochs and a long name in place of NAME. Each showed the
// content of the other file as values, or fill values as if they were measured.

const folder = scratchFolder();
const NAME = `/PLACEHOLDER${"x".repeat(200)}`;
const FILES = {
  external:
    "H4sIAAAAAAACA+1YwU7bQBCddeKwhVQJQmopJx97QU0RqnoDy1maSMaJYg69UUR88CHmYFdC/QL4Ez4hn8AncOQT+IPg9c4G7zZqpN5a5snSaHdnd9/uvhlLczvon7zd3NsECc6hCV2oY4GAD1Yb8QMtQ3uD9s7R/awa28X+bVzf9jubCCG9Fxb0Pr2msiY7wmvBQPhjab9jW+vp3jH9inSWSPurmBq6PP7LfRlsqTWY1p9SoIcEHi3/RslMum57R8Bx58MtOFw01Lhb9spxx3GqFTmepMHQHTxjvTZ8RR6t0oHDzywt8rK9w9Qd6PPlyeVVNs29PM0uE++gd/Blv/e5/NrQM+YHoR/Hcj7Gkp7fH56KKB6OovM48EOxPOe1i/GHfnE06jNwNFnwGn++Px2vdy5p2HzXj/gubvUukX8qAN/Frb2L1jODN4YOGeqGMdWB6XFp9fvNNzB+YLX+NkoeDJeVmXreUn7c4qvXfdGrztBN61xj5NcpGezWdBUO4zOofiOS2XvcQ/Nn1n9EWo/X+/jKfPBozXtombw/jUM/EINR2BeT6/8EKs90qzN3rft50dXv+cKp3dNstkqVT0dmuuTH34JRyGqBzMDUhx3/Dx2KbQKBQCAQCAQCgUAgEP41rKsztWGOfh0oSt+JOBETEQUC6z3vHFU6mF4UF3lSrN1P14Wm6SzJ8vQqw36+Zl53yckz+Np1JbsO+QyNJyhMABkAAA==",
  virtual:
    "H4sIAAAAAAACA+2Wz2sTQRTH38wkcVnXdG0j/kLcircixjZ48JKEzdQEt1nJilcpTcBQs0V2LaH/Qf+Dnj16k/bQQ8H+H6U99daLdw/1ze5suoYK0pPK+5BhknnvJd/33WEm2+3W8g3znikMAzLONc6d9HNVr5+un1zz260ehzGfzSdmmBwYQGkGcCrEw9FgV1eWympJbMX9b0wvLcFVqO1t3U8kMGCsAsAZYwUdy2ZRAXbTqUPaUANq16F2LgCKqE6YBioXTAfB0TW3ZlX5dD8WihRQwmQMfgqHcQRzqF/ZwnFEg7WNsB850TBcGziL1cXnT6rP8GUt5MpcrxkEMIfpti5rdVZkN+j43XeB2/QkWA9VejFN7zZXZJJd1NnKRrCx9oinUseZF/WD46+JF/OP3pvr+XEFb8rozcJkCxx+bhj4yArC0Uvs9x55Sv0MdlfJt+Z1gjdwV3d9G4f6IqUoe/75OfsV1aH14FLPuQ6PRjD/B/vkx9nmR99tv7I+pOqqSl1PLsue7LoyVfeWp+r6q/FqNIgvZPbR8jAaboRg2BPvnEvVT7Zz5q/9+AsQBEH8e3yv6zeNdDIaL13fS844+9eDz5w+CZ++9pqubPteS/bG/wl414pci9kVlaxxptvHvzpwAC92LuKg7xHF7pTD+2XaZQRBEARBEARBEMTfx08o9HjLIBgAAA==",
  link: "H4sIAAAAAAACA+1YwW7TQBCdXceplQY1CIm2nHzkghqqCnGrLWdLIrlOFPfADao6QjnEOdhIEV8Af8An9BP6CXwC3HrssX8QvNlZx2toinoD5inSZHdmdmd23uxK/tLvnTxqPWuBhONAAzpQxRLR3zfHWv8eJUP5GeUl1/NbK90ezndw/a9bpv/ZWAhpvaxB79NtKOkA4X9EX/gjKd/iWPPpGzft8ulsIuWH+Typ8tJ74L4MttUazOTvVVONr2v2VhGZNH3sHiNXPTjahqOlpfR2MSv1nHOm+KwysZimtmus14bXGEezMHDgYzrNs2L8hKkz0Pllk4t5mmRuNk0vJu5h9/DVi+7L4teGruEfhH4cS/9VLmv/3uBURPFgGL2LAz8UZZ4LG/sP7eJo2GPAy1vi0t58frpfXYs4bNb1OdbFXtUl8k8FYF3sSl00n/U9qhUMecOYmsDrsZQP56F7Bw9HuO9OUfu9Cl/CQXwGsI982sWa67hY7X2Q0nPW/9fn8Cu/ecVvNqv35eb823BVxpsXtmNxIsYiCgTG+5SreJPz/Dyb5PfWS+eVFPVIs+k8hT97jzplTK4Rb/1c6n3UxA5j0JAUKNuHlzff71/KFtYVau+th24O2xTt7bF5XTreffo3wTBkOtFKPnf1/fcd6n0CgUAgEAgEAoFAIBD+NlS+U8hPruVnjCbcqHnHsz7lyQ+Ag1HoB6I/DHtivPhHAAcLzPcnHh+WL0gZAAA=",
  soft: "H4sIAAAAAAACA+1YwW7TQBCdXcfpKg1qUCVoOfnYC0qoKsSttpwtieQ6UdwDN6hqi+YQR8JGivgC+gd8Qj+hn8An9MiRI38QvNlZx2toinoD9snSeHdndmd23uxKezXonzxqPWuBAGPQgA5UsURc7uttNf4OJUH5GeU1Vf1sNbaH/R2c/8uWbn824VxoL2tQ6/QaUjIw+B8x4N5YyDfYVnz6SnW9fDpLhHw/n8dVXroPXJfAtpyD6Py9acr2t5q+VXgmVB87x8hVF4624WhpyXEb64FSSiSfZSQWUdR2tPna8Ar9aBYKDD6m0zwr2rtE7oGKL0su5mmcOdk0vUicw97hy+e9F8XXhp5m7wdeFAn7VSxr+/7wlIfRcBS+jXwv4GWcCxvrD/WicNQnQMtT4trevH+qXh3LcFjP6wHmxV7lJfROOWBe7EpeFJ8JbGk8JMgbQmQHHo+lfDgPnTt4OMZ1d4rc71X4EgyjM4B95NNTzLnyi9TuByFdtv5f78Ov/KYVu9msXpeb42/DTelvXuhO+Amf8NDn6O8TKv2Nz/PzLMnvzZeKKy7ykWbTeQp/dh91Sp8czd/6vtTrqIkVRqAhKFCWDy1Pvt/flC3MK9TuWxfNDsgmb38c68clc+8bf+2PAqICrcRzV93f7pjaNzAwMDAwMDAwMDAwMDD421B5pxBPruUzRhO+y37m2vll8iG5BeiOA8/ng1HQ55PFPwLoqnjxPYoR61MeM+iuou4ucD9+AgSZ5x9oGQAA",
  own: "H4sIAAAAAAACA+2WT2sTQRTA38wkYVnXJG0j/gF1602KkP5BeuuGzdYEtwlkxYuHEppAg2QL7laL6FX0A3jxJP0KvXhrEfGg4KmgB49+gOIXqG923zTbojRI0cv8yPA2M+9N3p+8x75q1JfPm1dMYRigOCScS+n3Ku1//ba3327UOxy2+GRWUWFyYACFEqDIxYNhf4csC0W5JR51n+yyYztP454rSGkaTmfxy6driQsMGKsAcMZYjs6UFBVgE/YSpAE5sHAOFg7xR/LonTAN9FwwOgSbbC5MSvOT8VjzqAsFVMbDzXAQRzCF/su0cFxRf20j7EV2NAjX+vZcde72reosfqyZjJnr14IAplC9TGb15orXCprt1mrg1nwPrOtSPZ+qt2orXqKdJ22ZRiij7SrF91Ll4sHE5s+zyIU9Xi586WUJo6hkQ/CbwT24TNFdxCUvk55QnSErHWP0bF39bW45hT0cwk0Yn8/f387CfyKpwfSNdfNhdv1FTYpYk5lRGx7sGtgkOaGyxv9JbcRYtRmnV4vv9t+03cZd61nqXVV61/GWvY7Xcr3Uu/s89a7XjbtRPx652cO/fRgNNkIwyke5sxPvOYzyIVEjRXE0UIjHr+efg0ajOY2DJXpwUmGkcm87le9JfiD5cdu547b9pP/Kx0eKGmM7J5p1UY0cpZjDl4Jk6GS7mNMgYpzRrfhCAfaLHyXxh/sVWyVdRY1Go9FoNBqNRqPRaM6aX6DI90JAGAAA",
} as const;

/** Writes one of the files, with another path in place of the name. */
function written(kind: keyof typeof FILES, other: string): string {
  const bytes = gunzipSync(Buffer.from(FILES[kind], "base64"));
  const at = bytes.indexOf(NAME);
  if (at >= 0) bytes.fill(0, at, at + NAME.length).write(other, at);
  const path = join(folder, `${kind}.nc`);
  writeFileSync(path, bytes);
  return path;
}

it.each(["external", "link", "soft"] as const)(
  "a file with another file as part of it is refused: %s",
  async (kind) => {
    const key = join(folder, "connection.key");
    writeFileSync(key, "zk_1");
    expect(await openSeriesFile(written(kind, key))).toMatchObject({
      ok: false,
      error: { kind: "unreadable", message: expect.stringMatching(/refers to another file, “.*connection\.key”/) },
    });
  },
);

it("a virtual dataset of values in another file is refused", async () => {
  // With another name, its checksum would be wrong.
  expect(await openSeriesFile(written("virtual", NAME))).toMatchObject({
    ok: false,
    error: { message: expect.stringMatching(/^“ztd” in this file refers to another file, “\/PLACEHOLDER/) },
  });
});

it("a virtual dataset of the values in its own file is read", async () => {
  const file = mustSucceed(await openSeriesFile(written("own", "")));
  const ztd = file.series.findIndex(({ quantity }) => quantity.name === "ztd");
  expect([...file.rows(ztd).values]).toEqual([2_400, 2_401, 2_402, 2_403]);
  file.close();
});
