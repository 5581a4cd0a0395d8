// The process that decodes CRAM, played by scripts that end in every way.
#include "reads/cram_decoder.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "catch.hpp"
#include "core/temp_folder.hpp"
#include "message_of.hpp"
#include "warpseed/error.hpp"

namespace warpseed::reads {

namespace {

/// A shell script decodes as long as this lives.
class ScriptedDecoder {
 public:
  explicit ScriptedDecoder(const std::string& script) {
    const std::string path = folder_.file("decoder");
    std::ofstream(path) << "#!/bin/sh\n" << script << '\n';
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    set_cram_decoder(path);
  }
  ~ScriptedDecoder() { set_cram_decoder({}); }

  /// A source of what it makes of a file with this content.
  std::unique_ptr<ByteSource> decode(const std::string& content) const {
    const std::string path = folder_.file("in.cram");
    std::ofstream(path, std::ios::binary) << content;
    return decoded_cram(open_bytes(path), "in.cram", "ref.fa");
  }

 private:
  test::TempFolder folder_;
};

std::string read_all(ByteSource& source) {
  std::string text(1 << 20, ' ');
  text.resize(source.read(text));
  return text;
}

}  // namespace

TEST_CASE("a CRAM decoder gets the file, its name and the reference, and its output is read", "[reads]") {
  const ScriptedDecoder decoder("echo \"$1 $2 $3\"; cat");
  const std::string content(300000, 'x');
  CHECK(read_all(*decoder.decode(content)) == "decode-cram in.cram ref.fa\n" + content);
}

TEST_CASE("a CRAM decoder that ends by a signal is an error of the input", "[reads]") {
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE}) {
    const ScriptedDecoder decoder(fmt::format("echo some; kill -{} $$", signal));
    const std::unique_ptr<ByteSource> source = decoder.decode("CRAM");
    const std::string message = test::message_of<InputError>([&] { read_all(*source); });
    CHECK(message.find("in.cram: damaged CRAM") == 0);
    CHECK(message.find(fmt::format("signal {}", signal)) != std::string::npos);
    CHECK(read_all(*source).empty());  // the end, as after any error
  }
}

TEST_CASE("a CRAM decoder that is killed is an error of the machine", "[reads]") {
  const ScriptedDecoder decoder("kill -9 $$");
  CHECK(test::message_of<IoError>([&] { read_all(*decoder.decode("CRAM")); }).find("was killed") != std::string::npos);
}

TEST_CASE("the message of a CRAM decoder is passed on", "[reads]") {
  const auto ended_with = [](int code) {
    return ScriptedDecoder(fmt::format("echo 'warpseed decode-cram: in.cram: is odd' >&2; exit {}", code));
  };
  CHECK(test::message_of<InputError>([&] { read_all(*ended_with(2).decode("CRAM")); }) == "in.cram: is odd");
  CHECK(test::message_of<IoError>([&] { read_all(*ended_with(1).decode("CRAM")); }) == "in.cram: is odd");
  const ScriptedDecoder silent("exit 3");
  CHECK(test::message_of<IoError>([&] { read_all(*silent.decode("CRAM")); }).find("status 3") != std::string::npos);
}

TEST_CASE("an error of the file comes before what a CRAM decoder makes of it", "[reads]") {
  const ScriptedDecoder decoder("cat >/dev/null; echo 'in.cram: is odd' >&2; exit 2");
  const std::string packed("\x1F\x8B\x08\0\0\0\0\0\0\x03\x4B", 11);  // gzip that ends in its midst
  const std::string message = test::message_of<InputError>([&] { read_all(*decoder.decode(packed)); });
  CHECK(message.find("the compressed file ends at byte") != std::string::npos);
}

TEST_CASE("a CRAM decoder that cannot be run is an error of the machine", "[reads]") {
  set_cram_decoder("/no/such/program");
  const test::TempFolder folder;
  std::ofstream(folder.file("in.cram")) << "CRAM";
  CHECK(test::message_of<IoError>([&] {
          decoded_cram(open_bytes(folder.file("in.cram")), "in.cram", "");
        }).find("/no/such/program") != std::string::npos);
  set_cram_decoder({});
}

TEST_CASE("nobody waits for a CRAM decoder whose output is not wanted", "[reads]") {
  const ScriptedDecoder decoder("exec sleep 100");
  const auto begin = std::chrono::steady_clock::now();
  decoder.decode(std::string(3 << 20, 'x')).reset();  // more than a pipe holds
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
}

}  // namespace warpseed::reads
