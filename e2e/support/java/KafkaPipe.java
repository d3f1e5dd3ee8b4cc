import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * The official Java client of Kafka as a filter: KafkaPipe BROKERS TOPIC... prints each record of the topics, from the beginning,
 * as the line "topic TAB key TAB value". It sends a record for each line "codec TAB topic TAB key TAB value" of its input. At the
 * end of the input it exits once all records are acknowledged.
 */
public class KafkaPipe {
  public static void main(String[] args) throws Exception {
    Thread reading = new Thread(() -> read(args[0], Arrays.asList(args).subList(1, args.length)));
    reading.setDaemon(true);
    reading.start();
    write(args[0]);
  }

  private static void read(String brokers, List<String> topics) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", brokers);
    settings.put("group.id", "kafka-pipe-" + UUID.randomUUID());
    settings.put("auto.offset.reset", "earliest");
    try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.subscribe(topics);
      while (true)
        for (var record : consumer.poll(Duration.ofMillis(200)))
          out.println(record.topic() + "\t" + record.key() + "\t" + record.value());
    }
  }

  private static void write(String brokers) throws Exception {
    Map<String, KafkaProducer<String, String>> producers = new HashMap<>();
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      String[] fields = line.split("\t", 4);
      var producer = producers.computeIfAbsent(fields[0], codec -> open(brokers, codec));
      sent.add(producer.send(new ProducerRecord<>(fields[1], fields[2], fields[3])));
    }
    for (var producer : producers.values()) producer.close();
    for (var each : sent) each.get();
  }

  /** Records sent within a second share a batch. */
  private static KafkaProducer<String, String> open(String brokers, String codec) {
    Map<String, Object> settings = Map.of("bootstrap.servers", brokers, "compression.type", codec, "linger.ms", 1000);
    return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
  }
}
