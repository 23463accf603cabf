package io.slotwise.web.extender;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;

/**
 * A key on the curve P-256 with a self-signed certificate, for two programs that know each other's certificates and
 * need no authority. The certificate is X.509 version 3 (RFC 5280), encoded here in DER (ITU-T X.690), because Java
 * cannot make one. It is for one end of connections only and cannot issue others.
 *
 * <p>It is valid from 1970 to the end of 9999, which means no expiry (RFC 5280, section 4.1.2.5). It is trusted only in
 * a place that ends with its key, so a date would add nothing, and a clock that jumps would break it.
 *
 * @param certificate PEM
 * @param key PKCS #8, PEM
 */
record SelfSigned(String certificate, String key) {
    private static final String ALGORITHM = "SHA256withECDSA";
    private static final String ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String KEY_USAGE = "2.5.29.15";
    private static final String ALTERNATIVE_NAME = "2.5.29.17";
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";
    private static final String EXTENDED_KEY_USAGE = "2.5.29.37";

    private static final int BOOLEAN = 0x01;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int UTF8_STRING = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    /** Context-specific tags: a certificate's version and extensions, and an address among alternative names. */
    private static final int VERSION = 0xa0;

    private static final int EXTENSIONS = 0xa3;
    private static final int IP_ADDRESS = 0x87;

    private static final byte[] TRUE = {(byte) 0xff};
    private static final int SERIAL_BITS = 128;
    private static final int LONG_FORM = 0x80;
    private static final int SEVEN_BITS = 0x7f;

    /** The end of connections that a certificate is for. */
    enum End {
        SERVER("1.3.6.1.5.5.7.3.1"),
        CLIENT("1.3.6.1.5.5.7.3.2");

        private final String usage;

        End(String usage) {
            this.usage = usage;
        }
    }

    /** Creates a key with a certificate that is only for this address. */
    static SelfSigned of(String name, InetAddress address, End end) {
        try {
            SecureRandom random = new SecureRandom();
            KeyPairGenerator keys = KeyPairGenerator.getInstance("EC");
            keys.initialize(new ECGenParameterSpec("secp256r1"), random);
            KeyPair pair = keys.generateKeyPair();
            byte[] statement = statement(
                    name,
                    address,
                    end,
                    new BigInteger(SERIAL_BITS, random),
                    pair.getPublic().getEncoded());
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(pair.getPrivate(), random);
            signature.update(statement);
            byte[] certificate = element(SEQUENCE, statement, algorithm(), bits(0, signature.sign()));
            return new SelfSigned(
                    pem("CERTIFICATE", certificate),
                    pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java knows P-256 and " + ALGORITHM + ".", e);
        }
    }

    /** Encodes {@code TBSCertificate}, the signed part. */
    private static byte[] statement(String name, InetAddress address, End end, BigInteger serial, byte[] publicKey) {
        byte[] subject = element(
                SEQUENCE,
                element(
                        SET,
                        element(
                                SEQUENCE,
                                identifier(COMMON_NAME),
                                element(UTF8_STRING, name.getBytes(StandardCharsets.UTF_8)))));
        return element(
                SEQUENCE,
                element(VERSION, element(INTEGER, new byte[] {2})),
                element(INTEGER, serial.setBit(0).toByteArray()),
                algorithm(),
                subject,
                element(
                        SEQUENCE,
                        element(UTC_TIME, ascii("700101000000Z")),
                        element(GENERALIZED_TIME, ascii("99991231235959Z"))),
                subject,
                publicKey,
                element(EXTENSIONS, extensions(address, end)));
    }

    private static byte[] extensions(InetAddress address, End end) {
        byte[] digitalSignature = bits(7, new byte[] {(byte) 0x80});
        return element(
                SEQUENCE,
                critical(BASIC_CONSTRAINTS, element(SEQUENCE)),
                critical(KEY_USAGE, digitalSignature),
                extension(EXTENDED_KEY_USAGE, element(SEQUENCE, identifier(end.usage))),
                extension(ALTERNATIVE_NAME, element(SEQUENCE, element(IP_ADDRESS, address.getAddress()))));
    }

    private static byte[] critical(String identifier, byte[] value) {
        return element(SEQUENCE, identifier(identifier), element(BOOLEAN, TRUE), element(OCTET_STRING, value));
    }

    private static byte[] extension(String identifier, byte[] value) {
        return element(SEQUENCE, identifier(identifier), element(OCTET_STRING, value));
    }

    private static byte[] algorithm() {
        return element(SEQUENCE, identifier(ECDSA_WITH_SHA256));
    }

    private static byte[] bits(int unused, byte[] value) {
        return element(BIT_STRING, new byte[] {(byte) unused}, value);
    }

    /** Encodes an object identifier: two numbers share the first byte, and each number has seven bits per byte. */
    private static byte[] identifier(String dotted) {
        int[] numbers =
                Arrays.stream(dotted.split("\\.")).mapToInt(Integer::parseInt).toArray();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(40 * numbers[0] + numbers[1]);
        for (int i = 2; i < numbers.length; i++) {
            for (int shift = 28; shift > 0; shift -= 7) {
                if ((numbers[i] >> shift) != 0) {
                    out.write(LONG_FORM | ((numbers[i] >> shift) & SEVEN_BITS));
                }
            }
            out.write(numbers[i] & SEVEN_BITS);
        }
        return element(OBJECT_IDENTIFIER, out.toByteArray());
    }

    private static byte[] element(int type, byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(type);
        if (length < LONG_FORM) {
            out.write(length);
        } else {
            byte[] digits = BigInteger.valueOf(length).toByteArray();
            int from = digits[0] == 0 ? 1 : 0;
            out.write(LONG_FORM | (digits.length - from));
            out.write(digits, from, digits.length - from);
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static String pem(Certificate certificate) {
        try {
            return pem("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("A certificate cannot be written.", e);
        }
    }

    private static String pem(String what, byte[] encoded) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(what, Base64.getMimeEncoder(64, ascii("\n")).encodeToString(encoded), what);
    }

    /** Leaves out the key. */
    @Override
    public String toString() {
        return certificate;
    }
}
